#!/usr/bin/env bash
# Installs what is missing, builds, and opens the workbench. Without a display it renders the same workbench
# to out/workbench.png, prints the verdict table of the default block, and ends with 0.
#   run.sh [files or options of divergence-detective]
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/deps.sh
. packaging/build_env.sh
configure_and_build release -DDIVDET_TESTS=OFF -- divergence-detective divdet

bin=build/release/bin
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/divergence-detective" "$@"
fi
# Qt wants a private folder of the session, which a machine without one does not have.
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$PWD/build/runtime}
mkdir -p -m 700 "$XDG_RUNTIME_DIR"
mkdir -p out
picture=out/workbench.png
"$bin/divergence-detective" "$@" --screenshot "$picture"
echo
"$bin/divdet" run mlp
echo
echo "No display: the workbench is drawn in $picture"
