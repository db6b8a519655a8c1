#!/bin/sh
# npm start -- ARGS: installs and builds when needed, then starts the program in the folder it was called from.
cd "$(dirname "$0")/.." || exit 1
root=$PWD

if [ ! -d node_modules/esbuild ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "Installing (once) ..." >&2
  npm ci --loglevel=error >&2 || exit 1
fi
npm run --silent build >&2 || exit 1
# npm changes into the package's folder; INIT_CWD is where the person stands.
cd "${INIT_CWD:-$root}" || exit 1
exec "$root/bin/claude" "$@"
