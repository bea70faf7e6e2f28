#!/usr/bin/env bash
# Tests the two commands on a bare machine: Debian 12 minbase with Node 20 and npm 10, an ordinary user, a /dev/shm of 64 MB,
# no fonts, no browser, no database. Needs root and debootstrap; leaves nothing running.
#
#   scripts/bare-root.sh [folder]      builds the root there (default: a temporary folder), then runs everything in it
#
# It copies the committed tree, runs `npm ci`, starts the server with the embedded browser, scans the fixture site with the
# command line, and checks that text was laid out. BARE_TEST=1 runs `npm test` there as well.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-$(mktemp -d /var/tmp/clearway-bare.XXXXXX)}
[ "$(id -u)" = 0 ] || { echo 'Run it as root: it makes a root file system.' >&2; exit 2; }
command -v debootstrap >/dev/null || { echo 'debootstrap is missing: apt-get install debootstrap' >&2; exit 2; }
mkdir -p "$root"
# A temporary folder is private to its owner, and an ordinary user lives in this one.
chmod 755 "$root"

if [ ! -e "$root/etc/debian_version" ]; then
  echo "== debootstrap into $root"
  # Package sources of this machine, without comments and missing files.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -E '/debian/?$' || true)
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
    { tail -20 "$root.log" >&2; exit 1; }
fi

echo '== Node 20 and npm 10, an ordinary user'
node20=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
mkdir -p "$root/opt/node/bin" "$root/opt/node/lib/node_modules"
cp "$(readlink -f "$(command -v node)")" "$root/opt/node/bin/node"
if [ ! -d "$root/opt/node/lib/node_modules/npm" ]; then
  (cd "$(mktemp -d)" && npm pack --silent npm@10.9.9 >/dev/null && tar -xzf npm-10.9.9.tgz &&
    cp -r package "$root/opt/node/lib/node_modules/npm")
fi
printf '#!/bin/sh\nexec /opt/node/bin/node /opt/node/lib/node_modules/npm/bin/npm-cli.js "$@"\n' >"$root/opt/node/bin/npm"
printf '#!/bin/sh\nexec /opt/node/bin/node /opt/node/lib/node_modules/npm/bin/npx-cli.js "$@"\n' >"$root/opt/node/bin/npx"
chmod +x "$root/opt/node/bin/npm" "$root/opt/node/bin/npx"
# Node itself may be linked to libraries that minbase lacks.
ldd "$root/opt/node/bin/node" | awk '/=> \//{print $3}' | while read -r lib; do
  [ -e "$root$lib" ] || { mkdir -p "$root$(dirname "$lib")"; cp -L "$lib" "$root$lib"; }
done
chroot "$root" id clearway >/dev/null 2>&1 || chroot "$root" useradd --create-home clearway
# Settings with which npm reaches its registry from this machine.
[ -f "${SSL_CERT_FILE:-}" ] && mkdir -p "$root/etc/ssl/certs" && cp -L "$SSL_CERT_FILE" "$root/etc/ssl/certs/ca-certificates.crt"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
{ npm config get registry | sed 's/^/registry=/'; echo 'cafile=/etc/ssl/certs/ca-certificates.crt'; } >"$root/home/clearway/.npmrc"

echo '== the committed tree'
rm -rf "$root/home/clearway/clearway"
git clone --quiet "$here" "$root/home/clearway/clearway"
cp "$here/scripts/bare-root-inside.sh" "$root/home/clearway/inside.sh"
chroot "$root" chown -R clearway:clearway /home/clearway

echo '== inside, in namespaces of its own'
env_keep=$(env | grep -iE '^(https?_proxy|no_proxy|npm_config_)' | tr '\n' ' ' || true)
unshare --mount --pid --fork --uts -- bash -euo pipefail -c '
  root=$1; shift
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mkdir -p "$root/dev"; mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for d in null zero random urandom tty; do touch "$root/dev/$d"; mount --bind "/dev/$d" "$root/dev/$d"; done
  ln -s /proc/self/fd "$root/dev/fd"
  mkdir "$root/dev/shm"; mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/dev/shm"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  # Not chroot: a process in one may not create the user namespace that Chromium'"'"'s sandbox needs.
  cd "$root"; mkdir -p .old; pivot_root . .old; umount -l /.old
  exec /usr/bin/env -i HOME=/home/clearway USER=clearway PATH=/opt/node/bin:/usr/bin:/bin LANG=C.UTF-8 "$@" \
    setpriv --reuid=clearway --regid=clearway --init-groups bash /home/clearway/inside.sh
' bash "$root" SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
  BARE_TEST="${BARE_TEST:-}" $env_keep
echo '== the bare machine is fine'
