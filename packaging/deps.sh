#!/usr/bin/env bash
# Installs what building and testing need on Debian 12 and says nothing when all of it is there.
#   deps.sh [--no-gui] [--tests]
set -euo pipefail

packages=(ca-certificates git g++ cmake ninja-build ccache pkg-config
          libfmt-dev nlohmann-json3-dev libcli11-dev libtbb-dev libeigen3-dev libhwy-dev
          libminizip-dev zlib1g-dev libboost-iostreams-dev)
gui=(qt6-base-dev qt6-svg-dev libgl1-mesa-dev libqcustomplot-dev
     fonts-inter fonts-hack fonts-dejavu-core)
tests=(libgtest-dev libgmock-dev librapidcheck-dev libboost-context-dev python3-numpy clang-format
       clang-16 libclang-rt-16-dev) # the fuzzers; clang 14 fails on libstdc++ 12

with_gui=1
with_tests=0
for arg in "$@"; do
    case $arg in
        --no-gui) with_gui=0 ;;
        --tests) with_tests=1 ;;
        *) echo "deps.sh: unknown option $arg; there are --no-gui and --tests" >&2; exit 2 ;;
    esac
done
((with_gui)) && packages+=("${gui[@]}")
((with_tests)) && packages+=("${tests[@]}")

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
missing=()
for p in "${packages[@]}"; do installed "$p" || missing+=("$p"); done
((${#missing[@]})) || exit 0

command -v apt-get >/dev/null || {
    echo "deps.sh: this is not a Debian system; install the equivalents of: ${missing[*]}" >&2; exit 1; }
as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "deps.sh: root or sudo is needed to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "deps.sh: apt-get failed; the lines above say why" >&2
    exit 1
fi
