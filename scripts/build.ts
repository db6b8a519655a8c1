// Builds the bundle: src/entrypoints/cli.ts -> dist/cli.js and its chunks. Writes only dist/; does nothing when up to date.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { analyzeMetafile, type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { versionLine } from "../src/entrypoints/version.js";

const root = resolve(import.meta.dirname, "..");
const require = createRequire(join(root, "package.json"));
const dist = join(root, "dist");
const stampFile = join(dist, ".stamp");

/** Packages with native parts, found at run time beside the bundle's project. */
const external = ["@napi-rs/keyring", "@vscode/ripgrep", "sharp"];

const sourceFolders = ["src", "state", "components", "scripts"];

const listFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [];

/** Hash over everything the bundle is made of: our sources, this script, the lock file. */
const inputHash = (): string => {
  const hash = createHash("sha256");
  const files = [...sourceFolders.flatMap((folder) => listFiles(join(root, folder))), join(root, "package-lock.json")];
  for (const file of [...files, join(root, "package.json")]) {
    hash.update(file.slice(root.length));
    hash.update(readFileSync(file));
  }
  return hash.digest("hex");
};

/** Ink's devtools bridge imports a package that is not installed; in the bundle it is an empty module. */
const noDevtools: Plugin = {
  name: "no-devtools",
  setup: ({ onLoad }) => {
    onLoad({ filter: /ink\/build\/devtools\.js$/ }, () => ({ contents: "export {};", loader: "js" }));
  },
};

/** zod carries its messages in fifty languages, a third of the start-up code; ours are English. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) => {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
      resolveDir: join(root, "node_modules/zod/v4/locales"),
    }));
  },
};

const yogaBinary = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/;

/** Hands Yoga its WebAssembly as bytes: its own way, fetch("data:…"), would load Node's whole fetch stack. */
const yogaBytes: Plugin = {
  name: "yoga-bytes",
  setup: ({ onLoad }) => {
    onLoad({ filter: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const base64 = yogaBinary.exec(source)?.[1];
      if (!base64) throw new Error(`No WebAssembly found in ${path}: yoga-layout has changed, adapt scripts/build.ts.`);
      const loader = source.replace(yogaBinary, '"yoga.wasm"').replace(/export default loadYoga;?\s*$/, "");
      return {
        loader: "js",
        contents: `${loader}
const yogaWasm = Buffer.from(${JSON.stringify(base64)}, "base64");
export default () => loadYoga({ wasmBinary: yogaWasm });
`,
      };
    });
  },
};

/**
 * Modules that a start of the engine loads anyway go into few files: esbuild would make one for every set of dynamic
 * imports that share something (60 of them), and finding and reading each costs a start a third of a millisecond.
 * Told that every dynamic import of the engine needs the whole core, it keeps the core together.
 */
const core = (files: readonly string[], entries: ReadonlySet<string>): Plugin => ({
  name: "core",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^the-core$/ }, () => ({ path: "the-core", namespace: "the-core", sideEffects: true }));
    onResolve({ filter: /.*/, namespace: "the-core" }, ({ path }) => ({ path, sideEffects: true }));
    onLoad({ filter: /.*/, namespace: "the-core" }, () => ({
      contents: files.map((file) => `import ${JSON.stringify(file)};`).join("\n"),
      resolveDir: root,
    }));
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) =>
      entries.has(path) ? { contents: `${readFileSync(path, "utf8")}\nimport "the-core";\n`, loader: "ts" } : undefined,
    );
  },
});

type Inputs = Metafile["inputs"];

/** A module and all that it imports statically. */
const closureOf = (inputs: Inputs, start: string): Set<string> => {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && inputs[next]) visit(next);
  };
  visit(start);
  return found;
};

/** The engine's own modules, and those of them that are only imported when needed. */
const coreOf = (inputs: Inputs): { files: string[]; entries: Set<string> } => {
  const engine = closureOf(inputs, "src/entrypoints/boot.ts");
  const screen = closureOf(inputs, "components/mount.tsx");
  const files = [...engine].filter((path) => path.startsWith("src/") && path.endsWith(".ts") && !screen.has(path));
  const lazy = [...engine].flatMap((path) =>
    (inputs[path]?.imports ?? []).filter(({ kind }) => kind === "dynamic-import").map(({ path: entry }) => entry),
  );
  const entries = ["src/entrypoints/boot.ts", "src/entrypoints/headless.ts", ...lazy].filter((path) =>
    path.startsWith("src/"),
  );
  return { files: files.map((path) => join(root, path)), entries: new Set(entries.map((path) => join(root, path))) };
};

/** One width for everything: `string-width`, also inside Ink, is our own function as soon as it exists. */
const oneWidth = (): Plugin => {
  const file = join(root, "src/lib/text-width.ts");
  return {
    name: "one-width",
    setup: ({ onResolve, onLoad }) => {
      if (!existsSync(file)) return;
      onResolve({ filter: /^string-width$/ }, ({ importer }) =>
        importer === file ? undefined : { path: "string-width", namespace: "one-width" },
      );
      onLoad({ filter: /.*/, namespace: "one-width" }, () => ({
        loader: "ts",
        resolveDir: root,
        contents: `import { textWidth } from ${JSON.stringify(file)};\nexport default (text: string, options?: Parameters<typeof textWidth>[1]) => textWidth(text, options);`,
      }));
    },
  };
};

/** Files that are read at run time, by package: copied to dist/assets. */
const assets = [
  ["tree-sitter-bash", "tree-sitter-bash.wasm"],
  ["web-tree-sitter", "web-tree-sitter.wasm"],
] as const;

const packageFolder = (name: string): string | undefined =>
  (require.resolve.paths(name) ?? []).map((paths) => join(paths, name)).find((folder) => existsSync(folder));

const copyAssets = (target: string): void => {
  const folder = join(target, "assets");
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of assets) {
    const from = packageFolder(name);
    if (!from) throw new Error(`The package ${name} is not installed: run npm ci.`);
    copyFileSync(join(from, file), join(folder, file));
  }
};

/** Builds into a folder beside dist and moves it in, so that a starting program never sees half a file. */
const bundle = async (isAnalyzed: boolean): Promise<void> => {
  const target = join(root, `dist.new-${process.pid}`);
  rmSync(target, { recursive: true, force: true });
  const options = {
    absWorkingDir: root,
    entryPoints: { cli: "src/entrypoints/cli.ts" },
    outdir: target,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // ES modules first: the UMD files that some packages name as "main" cannot be bundled.
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    banner: {
      // What CommonJS packages expect to find.
      js: 'import { createRequire as __createRequire } from "node:module"; import { dirname as __dirnameOf } from "node:path"; const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = __dirnameOf(__filename);',
    },
    // Chunks lie beside cli.js: `new URL("./assets/x", import.meta.url)` is right in every one of them.
    chunkNames: "[name]-[hash]",
    external,
    plugins: [noDevtools, englishOnly, yogaBytes, oneWidth()],
    logLevel: "warning",
    // What the core's list is for: nothing of it is evaluated earlier than its importers want.
    logOverride: { "ignored-bare-import": "silent" },
    metafile: true,
  } satisfies BuildOptions;
  const { files, entries } = coreOf((await build({ ...options, write: false, minify: false })).metafile.inputs);
  const { metafile } = await build({ ...options, plugins: [...options.plugins, core(files, entries)] });
  if (isAnalyzed) process.stdout.write(await analyzeMetafile(metafile));
  copyAssets(target);
  writeFileSync(join(target, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(target, "version.txt"), `${versionLine}\n`); // read by bin/claude
  moveIn(target);
};

interface Stamp {
  inputs: string;
  files: string[];
}

const readStamp = (): Stamp | undefined => {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    // No build yet, or one that was cut off: build.
    return undefined;
  }
};

/** Moves the new files over the old ones. Chunks of the build before stay: a running program may still load them. */
const moveIn = (target: string): void => {
  const files = listFiles(target).map((file) => relative(target, file));
  const keep = new Set([...files, ...(readStamp()?.files ?? [])]);
  rmSync(stampFile, { force: true });
  for (const file of files) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(target, file), join(dist, file));
  }
  for (const file of listFiles(dist)) if (!keep.has(relative(dist, file))) rmSync(file);
  rmSync(target, { recursive: true, force: true });
  writeFileSync(stampFile, JSON.stringify({ inputs: inputHash(), files } satisfies Stamp));
};

const isAnalyzed = process.argv.includes("--analyze"); // says what each chunk is made of
const isCurrent = existsSync(join(dist, "cli.js")) && readStamp()?.inputs === inputHash();
if (!isCurrent || isAnalyzed || process.argv.includes("--force")) {
  const started = performance.now();
  try {
    await bundle(isAnalyzed);
  } catch (error) {
    // Mistakes in the sources esbuild has already shown with their place.
    if (error instanceof Error && !("errors" in error)) process.stderr.write(`${error.message}\n`);
    rmSync(join(root, `dist.new-${process.pid}`), { recursive: true, force: true });
    process.stderr.write("The build failed.\n");
    process.exit(1);
  }
  process.stdout.write(`Built ${dirname(join(dist, "cli.js"))} in ${Math.round(performance.now() - started)} ms\n`);
}
