#!/usr/bin/env bash
# build-image.sh [NAME]: builds the image with buildah, without a registry or a container engine. Run it as root in the
# checkout. It needs Debian's packages buildah and debootstrap, and borrows this machine's Node and npm for the build.
set -euo pipefail
name=${1:-dailies}
options=(--storage-driver vfs)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

debootstrap --variant=minbase bookworm "$work/root" >/dev/null
rm -rf "$work/root"/var/cache/apt/archives/*.deb "$work/root"/var/lib/apt/lists/*
# The package sources of this machine, so that the image can install what it needs.
cp -a /etc/apt/. "$work/root/etc/apt/"
mkdir -p "$work/root/etc/ssl/certs" && cp -aL /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/"

image_of() { # FOLDER NAME
  local container
  container=$(buildah "${options[@]}" from scratch)
  buildah "${options[@]}" copy -q "$container" "$1" / >/dev/null
  buildah "${options[@]}" commit -q "$container" "$2" >/dev/null
  buildah "${options[@]}" rm "$container" >/dev/null
}

image_of "$work/root" dailies-base
# Node and npm of this machine, with npm's own settings.
npm_modules=$(npm root -g)
mkdir -p "$work/root/usr/bin" "$work/root$(dirname "$npm_modules")" "$work/root/root"
cp -aL "$(command -v node)" "$work/root/usr/bin/node"
mkdir -p "$work/root$npm_modules" && cp -a "$npm_modules/npm" "$work/root$npm_modules/"
ln -sf "$npm_modules/npm/bin/npm-cli.js" "$work/root/usr/bin/npm"
ln -sf "$npm_modules/npm/bin/npx-cli.js" "$work/root/usr/bin/npx"
if [ -f ~/.npmrc ]; then cp ~/.npmrc "$work/root/root/.npmrc"; fi
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >> "$work/root/root/.npmrc"
ldd "$(command -v node)" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
  [ -e "$work/root$library" ] || { mkdir -p "$work/root$(dirname "$library")" && cp -aL "$library" "$work/root$library"; }
done
image_of "$work/root" dailies-build-base

# The docker format keeps the health check, which the OCI format has no place for.
buildah "${options[@]}" bud --format docker --isolation chroot --build-arg BUILD_BASE=localhost/dailies-build-base \
  --build-arg BASE=localhost/dailies-base --build-arg REVISION="$(git rev-parse --short HEAD 2>/dev/null || true)" -t "$name" .
container=$(buildah "${options[@]}" from "localhost/$name")
folder=$(buildah "${options[@]}" mount "$container")
echo "$name: $(du -sm "$folder" | cut -f1) MB"
buildah "${options[@]}" umount "$container" >/dev/null
buildah "${options[@]}" rm "$container" >/dev/null
