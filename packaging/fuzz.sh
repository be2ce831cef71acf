#!/usr/bin/env bash
# Runs the fuzzers of the preset `fuzz`, already built; one line each: runs, covered edges, seconds.
#   fuzz.sh [--seconds N | --runs N] [--jobs N] [target…]     N per target; default 5 seconds, all targets
# What is new in coverage is kept in build/fuzz/corpus, what breaks something in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
budget=-max_total_time=5
jobs=$(nproc)
targets=()
while (($#)); do
    case $1 in
        --seconds) budget=-max_total_time=$2; shift ;;
        --runs) budget=-runs=$2; shift ;;
        --jobs) jobs=$2; shift ;;
        -*) echo "fuzz.sh: unknown option $1; there are --seconds, --runs and --jobs" >&2; exit 2 ;;
        *) targets+=("${1#fuzz_}") ;;
    esac
    shift
done
bin=$PWD/build/fuzz/bin
if ((${#targets[@]} == 0)); then
    for program in "$bin"/fuzz_*; do [ -x "$program" ] && targets+=("$(basename "${program#"$bin"/fuzz_}")"); done
fi
((${#targets[@]})) || { echo "fuzz.sh: nothing is built; cmake --preset fuzz && cmake --build --preset fuzz" >&2; exit 2; }
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1

# Real files lying beside the project are starting points too; they are read where they are.
more_corpora() {
    local data=../shared/data folders=()
    case $1 in
        npy) folders=(onnx/formats/npy) ;;
        npz) folders=(onnx/formats/npz) ;;
        safetensors) folders=(onnx/formats/safetensors) ;;
    esac
    for f in "${folders[@]}"; do if [ -d "$data/$f" ]; then echo "$data/$f"; fi; done
}

fuzz_one() {
    local name=$1 corpus=build/fuzz/corpus/$1 found=build/fuzz/findings/$1 log=build/fuzz/$1.log start=$SECONDS dict=() more=()
    mkdir -p "$corpus" "$found"
    "$bin/fuzz_$name" --write-seeds "$corpus"
    if [ -f "tests/fuzz/$name.dict" ]; then dict=("-dict=tests/fuzz/$name.dict"); fi
    mapfile -t more < <(more_corpora "$name")
    # A single allocation of 128 MB for some KB of input is made by a size that the file claims: a finding.
    local rc=0
    "$bin/fuzz_$name" "$budget" -max_len=2048 -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=128 \
        -print_final_stats=1 -artifact_prefix="$found/" "${dict[@]}" "$corpus" "${more[@]}" >"$log" 2>&1 || rc=$?
    local runs edges
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    edges=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2 || true)
    printf 'fuzz_%s: %s runs, %s edges, %s s\n' "$name" "${runs:-?}" "${edges:-?}" $((SECONDS - start))
    if ((rc)); then
        grep -E '^(==|SUMMARY|artifact_prefix|ALARM|.*runtime error|.*broken invariant)' "$log" | head -n 8 >&2
        echo "fuzz_$name: FOUND something; the input is in $found, the log is $log" >&2
    fi
    return $((rc != 0))
}

failed=0
running=0
for name in "${targets[@]}"; do
    if ((running == jobs)); then wait -n || failed=1; running=$((running - 1)); fi
    fuzz_one "$name" &
    running=$((running + 1))
done
while ((running)); do wait -n || failed=1; running=$((running - 1)); done
exit $failed
