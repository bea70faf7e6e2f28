#!/usr/bin/env bash
# Builds a release from the commit of a tag, verifies it, and publishes the package of the command line. Images and documentation:
# .github/workflows/publish.yml.
#
#   scripts/publish.sh [--dry-run] FOLDER      with --dry-run, npm publishes nothing, and the tag may be missing
set -euo pipefail
cd "$(dirname "$0")/.."
dry=()
[ "${1:-}" != --dry-run ] || { dry=(--dry-run); shift; }
folder=${1:?the folder to write to}

version=$(node -p "require('./package.json').version")
if [ ${#dry[@]} = 0 ] && [ "$(git describe --tags --exact-match)" != "v$version" ]; then
  echo "The commit has not the tag v$version." >&2
  exit 1
fi
npm run -s release -- "$folder"
(cd "$folder" && sha256sum --check --quiet SHA256SUMS)
# The product is installed and run once, as users do it, without the token of the registry: dependencies run programs.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
tar xzf "$folder/clearway-$version.tar.gz" --strip-components=1 -C "$trial"
(cd "$trial" && unset NODE_AUTH_TOKEN && npm ci --omit=dev --silent && npx clearway --version | tee /dev/stderr | grep -q "^$version (build [0-9a-f]\{12\} ")
npm publish "$folder/clearway-cli-$version.tgz" --access public "${dry[@]}" ${NPM_PROVENANCE:+--provenance}
echo "ok: $version"
