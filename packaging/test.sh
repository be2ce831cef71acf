#!/usr/bin/env bash
# Installs what is missing, builds and runs every test; ends with ctest's summary of the main run.
#   test.sh [--full]     --full adds the thread sanitizer and the benchmarks, and fuzzes for longer
set -euo pipefail
cd "$(dirname "$0")/.."
full=0
for arg in "$@"; do
    case $arg in
        --full) full=1 ;;
        *) echo "test.sh: unknown option $arg; there is --full" >&2; exit 2 ;;
    esac
done
packaging/deps.sh --tests
. packaging/build_env.sh
# Warnings are errors in CI only: a newer compiler must not keep a user from building.
strict=-DDIVDET_WERROR=${CI:+ON}
[ -n "${CI:-}" ] || strict=-DDIVDET_WERROR=OFF
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8

failed=()
# step NAME COMMAND…: goes on after a failure, so that one run tells everything that is wrong.
step() {
    local name=$1 start=$SECONDS
    shift
    if "$@"; then echo "$name: passed in $((SECONDS - start)) s"
    else echo "$name: FAILED after $((SECONDS - start)) s"; failed+=("$name"); fi
}

step "release build" configure_and_build release "$strict" -DDIVDET_TESTS=ON
# Without a window and without looking for CUDA: both must be ordinary. Objects and library tests are those of
# release (ccache has them), so the programs are built and the tests that run them.
step "no-gui build" configure_and_build no-gui "$strict" -- divdet divdet_cli_tests
step "no-cuda build" configure_and_build no-cuda "$strict" -- divdet divergence-detective divdet_cli_tests
for preset in no-gui no-cuda; do
    step "$preset tests" ctest --preset "$preset" -L cli -j "$(nproc)" --quiet --output-log "build/$preset-tests.log"
done
step "asan build" configure_and_build asan "$strict"
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
step "asan tests" ctest --preset asan -j "$(nproc)" --quiet --output-log build/asan-tests.log
# What threads share, alone: the rest of core under this sanitizer takes longer than all of the above (--full).
step "threads build" configure_and_build tsan "$strict" -- divdet_thread_tests
step "threads under tsan" build/tsan/bin/divdet_thread_tests --gtest_brief=1
if command -v clang++-16 >/dev/null; then
    step "fuzz build" configure_and_build fuzz
    step "fuzzers" packaging/fuzz.sh --seconds $((full ? 120 : 8))
else
    echo "fuzzers: left out, there is no clang++-16 (Debian: clang-16, libclang-rt-16-dev)"
fi
if ((full)); then
    step "tsan build" configure_and_build tsan "$strict"
    step "tsan tests" ctest --preset tsan -j "$(nproc)" --quiet --output-log build/tsan-tests.log
    step "bench build" configure_and_build bench -DDIVDET_TESTS=OFF
    for b in build/bench/bin/*_bench; do step "$(basename "$b")" "$b"; done
fi
# Last, so that the output ends with ctest's own summary, and short, so that the end tells what failed: a
# reader of CI may see only its last hundred lines.
step "release tests" ctest --preset release -j "$(nproc)" --quiet --output-log build/release-tests.log
for log in build/*-tests.log; do
    [ "$log" = build/release-tests.log ] || grep -HE '(Failed|Timeout|Exception)[^)]*\)$|tests passed,' "$log" || true
done
if ((${#failed[@]})); then
    for log in build/*-tests.log; do
        grep -E -A12 '\[  FAILED  \]|Failure$|ERROR: AddressSanitizer|runtime error' "$log" | head -n 30 || true
    done
    printf 'failed: %s\n' "${failed[@]}"
fi
sed -n '/^[0-9]*% tests passed/,$p' build/release-tests.log
exit $((${#failed[@]} > 0))
