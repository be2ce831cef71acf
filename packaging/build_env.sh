# Sourced by run.sh and test.sh: ccache that hits in any checkout, and as many jobs as memory allows.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CMAKE_BUILD_PARALLEL_LEVEL

# configure_and_build PRESET [cmake options…] [-- targets…]: quiet unless it fails.
configure_and_build() {
    local preset=$1 log options=() targets=()
    shift
    while (($#)) && [ "$1" != -- ]; do options+=("$1"); shift; done
    (($#)) && { shift; targets=(--target "$@"); }
    log=build/$preset.log
    mkdir -p build
    echo "Building preset $preset (log: $log)"
    if ! { cmake --preset "$preset" "${options[@]}" && cmake --build --preset "$preset" "${targets[@]}"; } >"$log" 2>&1; then
        grep -nE 'error|Error' "$log" | head -n 20 >&2
        tail -n 30 "$log" >&2
        echo "the build of preset $preset failed; the whole log is $log" >&2
        return 1
    fi
    grep -hE '^-- .*CUDA' "$log" | sed 's/^-- //' || true
}
