#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: builds the CUDA module for that GPU and shows that it gives the CPU twin's
# bits, that cuBLAS stays inside its bound, and how fast both are. Without a GPU it says so and ends with 0.
#   gpu_check.sh [--no-build]     --no-build uses what lies in build/gpu
# The report is also in build/gpu/gpu_check.log.
set -euo pipefail
cd "$(dirname "$0")/.."
build=1
for arg in "$@"; do
    case $arg in
        --no-build) build=0 ;;
        *) echo "gpu_check.sh: unknown option $arg; there is --no-build" >&2; exit 2 ;;
    esac
done

if ! command -v nvidia-smi >/dev/null || ! capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null) || [ -z "$capability" ]; then
    echo "SKIPPED: no NVIDIA GPU on this machine (nvidia-smi finds none)"
    exit 0
fi
nvidia-smi --query-gpu=index,name,compute_cap,driver_version,memory.total --format=csv,noheader || true
# Every architecture among the GPUs once: 9.0 becomes 90-real.
architectures=$(sort -u <<<"$capability" | tr -d '. ' | sed 's/$/-real/' | paste -sd ';')

nvcc=$(command -v nvcc || true)
for folder in "${CUDACXX:-}" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    if [ -z "$nvcc" ] && [ -x "$folder" ]; then nvcc=$folder; fi
done
if [ -z "$nvcc" ]; then
    echo "SKIPPED: there is a GPU, but no nvcc (CUDA Toolkit 13) to build the module with"
    exit 0
fi
PATH=$(dirname "$nvcc"):$PATH
export PATH
# cuBLAS is loaded at run time and may lie beside the toolkit only.
LD_LIBRARY_PATH=$(dirname "$(dirname "$nvcc")")/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

out=build/gpu
mkdir -p "$out"
log=$out/gpu_check.log
: >"$log"
if ((build)); then
    packaging/deps.sh --no-gui --tests
    . packaging/build_env.sh
    echo "Building for $architectures (log: $out/build.log)"
    if ! { cmake --preset no-gui -B "$out" "-DDIVDET_CUDA_ARCHITECTURES=$architectures" -DDIVDET_CUDA=ON -DDIVDET_TESTS=ON &&
           cmake --build "$out" --target divdet_cuda divdet_gpu_tests divdet; } >"$out/build.log" 2>&1; then
        tail -n 30 "$out/build.log" >&2
        echo "the build failed; the whole log is $out/build.log" >&2
        exit 1
    fi
fi
[ -x "$out/bin/divdet_gpu_tests" ] || { echo "$out/bin/divdet_gpu_tests is not there: no module was built" >&2; exit 1; }

"$out/bin/divdet" devices | tee -a "$log"
failed=0
"$out/bin/divdet" devices --check 2>&1 | tee -a "$log" || failed=1
# The least certain first: fp8 by instruction, and the steps along k; then everything else; times last.
for tests in 'Gpu.First_*' 'Gpu.*:-Gpu.First_*:Gpu.Times' 'Gpu.Times'; do
    "$out/bin/divdet_gpu_tests" --gtest_brief=1 --gtest_filter="$tests" 2>&1 | tee -a "$log" || failed=1
done
if ((failed)); then
    echo "GPU check: FAILED; the report is $log" >&2
    exit 1
fi
echo "GPU check: passed; the report is $log"
