#!/bin/sh
# Keeps the source of a released commit for the tests of rolling upgrades: keep.sh COMMIT. Run it when a release is made,
# and set previousSchema in previous-release.ts to its newest migration. Networks and the console are left out, because
# the scripted engine of the tests needs neither. It runs on the installed packages: a package that only the kept release
# needs stays among the devDependencies until the next one is kept.
set -eu
cd "$(dirname "$0")"
root=$(git rev-parse --show-toplevel)
git -C "$root" archive --format=tar "$1" package.json src client/src docs test/support/service/main.ts \
  test/support/engines ':(exclude)*.onnx' ':(exclude)docs/samples' | gzip -9 -n > previous-release.tar.gz
ls -l previous-release.tar.gz
