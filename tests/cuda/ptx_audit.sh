#!/usr/bin/env bash
# Compiles the exact kernels to PTX with the module's flags and fails on any instruction whose bits are not
# IEEE's: approximations, flushed subnormals, sums and products that ptxas may contract, directed rounding,
# atomic additions of floats. Then shows that it would find each of them.
#   ptx_audit.sh NVCC KERNELS_FOLDER      KERNELS_FOLDER: …/kernels
set -euo pipefail
nvcc=$1
kernels=$2
[ -x "$nvcc" ] || { echo "SKIPPED: there is no nvcc to write PTX with"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++20 -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -arch=sm_89 -I"$kernels")

# One extended regular expression per kind of trespass, with its name.
names=(approximation "flushed subnormals" "contractible arithmetic" "directed rounding" "float atomics")
patterns=('\.approx'
          '\.ftz'
          '[[:space:]](add|sub|mul|mad)(\.sat)?\.f(16|32|64)'
          '[[:space:]](add|sub|mul|fma|div|sqrt|rcp)\.r[mzp]\.'
          '(atom|red)\.[a-z0-9.:]*add[a-z0-9.]*\.(bf16|f16|f32|f64)')

# audit FILE: prints what it finds; true when there is nothing.
audit() {
    local clean=0 i
    for i in "${!patterns[@]}"; do
        if grep -nE "${patterns[i]}" "$1" | head -n 3 | sed "s|^|$(basename "$1"): ${names[i]}: |" | grep .; then clean=1; fi
    done
    return $clean
}

failed=0
instructions=0
for source in "$kernels"/cuda/module/*.cu; do
    name=$(basename "$source" .cu)
    [ "$name" = scatter_atomics ] && continue # not exact, and says so
    "$nvcc" "${flags[@]}" -ptx -o "$work/$name.ptx" "$source"
    audit "$work/$name.ptx" || failed=1
    instructions=$((instructions + $(grep -cE '^[[:space:]]+[@a-z]' "$work/$name.ptx")))
done
((failed)) && { echo "FAILED: the kernels above are not exact"; exit 1; }
((instructions > 3000)) || { echo "FAILED: only $instructions instructions were seen"; exit 1; }

# Every wrapper of mma.cuh becomes the instruction it names.
for wanted in m16n8k16.row.col.f32.f16.f16.f32 m16n8k16.row.col.f16.f16.f16.f16 m16n8k16.row.col.f32.bf16.bf16.f32 \
              m16n8k8.row.col.f32.tf32.tf32.f32 m16n8k32.row.col.s32.s8.s8.s32 \
              m16n8k32.row.col.f32.e4m3.e4m3.f32 m16n8k32.row.col.f32.e5m2.e5m2.f32; do
    grep -q "mma.sync.aligned.$wanted" "$work/products_mma.ptx" || { echo "FAILED: no mma $wanted"; exit 1; }
done

# The audit of something bad, trespass by trespass.
cat >"$work/bad.cu" <<'CUDA'
__global__ void approximation(float* x) { *x = rsqrtf(*x); }
__global__ void floatAtomics(float* x) { atomicAdd(x, 1.0f); }
__global__ void directed(float* x) { *x = __fadd_rz(*x, 1.5f); }
CUDA
printf '__global__ void contractible(double* x) { *x = *x + x[1]; }\n__global__ void flushed(float* x) { *x = x[0] * x[1]; }\n' \
    >"$work/loose.cu"
"$nvcc" "${flags[@]}" -ptx -o "$work/bad.ptx" "$work/bad.cu"
"$nvcc" -arch=sm_89 -ftz=true -ptx -o "$work/loose.ptx" "$work/loose.cu"
found=$( { audit "$work/bad.ptx" || true; audit "$work/loose.ptx" || true; } )
for name in "${names[@]}"; do
    grep -q ": $name: " <<<"$found" || { echo "FAILED: the audit overlooks $name"; echo "$found"; exit 1; }
done
echo "audited $instructions PTX instructions: IEEE arithmetic only"
