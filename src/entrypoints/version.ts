// The product's version; a test holds it equal to package.json.
export const version = "3.0.0";

/** What `--version` prints: hosts read N.N.N from its beginning. */
export const versionLine = `${version} (compatible with Claude Code 2.1)`;
