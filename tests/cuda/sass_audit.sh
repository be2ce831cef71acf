#!/usr/bin/env bash
# Compiles the tensor-core kernels with the module's flags for each architecture, disassembles them and fails
# unless every wrapper of mma.cuh has become exactly the instructions below: the twins' arithmetic is that of
# instructions, not of PTX. Then shows that it would find another instruction.
#   sass_audit.sh NVCC KERNELS_FOLDER      KERNELS_FOLDER: …/kernels
# nvdisasm is looked for as $NVDISASM, beside nvcc, and on PATH (PyPI has it as nvidia-cuda-nvdisasm).
set -euo pipefail
nvcc=$1
kernels=$2
[ -x "$nvcc" ] || { echo "SKIPPED: there is no nvcc to compile with"; exit 0; }
nvdisasm=${NVDISASM:-}
if [ -z "$nvdisasm" ]; then
    nvdisasm=$(dirname "$nvcc")/nvdisasm
    [ -x "$nvdisasm" ] || nvdisasm=$(command -v nvdisasm || true)
fi
[ -x "$nvdisasm" ] || { echo "SKIPPED: there is no nvdisasm to disassemble with; set NVDISASM"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++20 -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -I"$kernels")

# sm | kernel | its tensor-core instructions and what converts or adds around them. BPT.TRAP: a kernel that the
# host never starts there. FADD: c added behind a sum that began at zero, which no twin does; such a kernel is
# not started either (multiplier.cpp, kind()).
cat >"$work/wanted" <<'TABLE'
75 MmaF16 HMMA.1688.F32
75 MmaF16InF16 HMMA.1688.F16
75 MmaBf16 BPT.TRAP
75 MmaTf32 BPT.TRAP
75 MmaInt8 IMMA.8816.S8.S8
75 MmaF8e4m3 BPT.TRAP
75 MmaF8e5m2 BPT.TRAP
80 MmaF16 HMMA.16816.F32
80 MmaF16InF16 HMMA.16816.F16
80 MmaBf16 HMMA.16816.F32.BF16
80 MmaTf32 HMMA.1688.F32.TF32
80 MmaInt8 IMMA.16832.S8.S8
80 MmaF8e4m3 BPT.TRAP
80 MmaF8e5m2 BPT.TRAP
89 MmaF16 HMMA.16816.F32
89 MmaF16InF16 HMMA.16816.F16
89 MmaBf16 HMMA.16816.F32.BF16
89 MmaTf32 HMMA.1688.F32.TF32
89 MmaInt8 IMMA.16832.S8.S8
89 MmaF8e4m3 QMMA.16832.F32.E4M3.E4M3
89 MmaF8e5m2 QMMA.16832.F32.E5M2.E5M2
90 MmaF16 HMMA.16816.F32
90 MmaF16InF16 HMMA.16816.F16
90 MmaBf16 HMMA.16816.F32.BF16
90 MmaTf32 HMMA.1688.F32.TF32
90 MmaInt8 IMMA.16832.S8.S8
90 MmaF8e4m3 F2FP.F16.E4M3.UNPACK_B FADD HMMA.16816.F32 HMMA.16816.F32:RZ
90 MmaF8e5m2 F2FP.F16.E5M2.UNPACK_B FADD HMMA.16816.F32 HMMA.16816.F32:RZ
100 MmaF16 HMMA.16816.F32
100 MmaF16InF16 HMMA.16816.F16
100 MmaBf16 HMMA.16816.F32.BF16
100 MmaTf32 HMMA.1688.F32.TF32
100 MmaInt8 IMMA.16832.S8.S8
100 MmaF8e4m3 F2FP.F16.E4M3.UNPACK_B FADD HMMA.16816.F32 HMMA.16816.F32:RZ
100 MmaF8e5m2 F2FP.F16.E5M2.UNPACK_B FADD HMMA.16816.F32 HMMA.16816.F32:RZ
120 MmaF16 HMMA.16816.F32
120 MmaF16InF16 HMMA.16816.F16
120 MmaBf16 HMMA.16816.F32.BF16
120 MmaTf32 HMMA.1688.F32.TF32
120 MmaInt8 IMMA.16832.S8.S8
120 MmaF8e4m3 QMMA.16832.F32.E4M3.E4M3
120 MmaF8e5m2 QMMA.16832.F32.E5M2.E5M2
TABLE

# instructions SM SASS: lines as above. A sum that begins with the register of zeros is told by :RZ.
instructions() {
    awk -v sm="$1" '
        /^[[:space:]]*\.section[[:space:]]+\.text\./ {
            kernel = ""
            if (match($0, /[0-9]Mma[A-Za-z0-9]+/)) kernel = substr($0, RSTART + 1, RLENGTH - 1)
            sub(/EE+v.*/, "", kernel) # what follows the policy in the mangled name
            if (kernel ~ /^MmaF8/) kernel = $0 ~ /OperandFormatE3/ ? "MmaF8e4m3" : "MmaF8e5m2"
        }
        kernel != "" && match($0, /[[:space:]]([A-Z0-9]*MMA|F2FP|FADD|BPT)(\.[A-Z0-9_]+)*/) {
            name = substr($0, RSTART + 1, RLENGTH - 1)
            if (name ~ /MMA/ && $0 ~ /, RZ ;/) name = name ":RZ"
            if (!((kernel, name) in seen)) print sm, kernel, name
            seen[kernel, name] = 1
        }' "$2" | LC_ALL=C sort | awk '
        { key = $1 " " $2 }
        key != last { if (last != "") print line; line = key; last = key }
        { line = line " " $3 }
        END { if (last != "") print line }'
}

for sm in $(cut -d' ' -f1 "$work/wanted" | uniq); do
    "$nvcc" "${flags[@]}" -arch="sm_$sm" -cubin -o "$work/$sm.cubin" "$kernels/cuda/module/products_mma.cu"
    "$nvdisasm" -c "$work/$sm.cubin" >"$work/$sm.sass"
    instructions "$sm" "$work/$sm.sass" >>"$work/found"
done
LC_ALL=C sort -o "$work/wanted" "$work/wanted"
LC_ALL=C sort -o "$work/found" "$work/found"
diff "$work/wanted" "$work/found" >"$work/differs" || {
    echo "FAILED: these wrappers became other instructions (< wanted, > found)"; cat "$work/differs"; exit 1; }

# The audit of something else: bf16 where fp16 is due.
sed 's/f32\.f16\.f16\.f32/f32.bf16.bf16.f32/' "$kernels/cuda/mma.cuh" >"$work/mma.cuh"
mkdir -p "$work/other/cuda"
cp "$work/mma.cuh" "$work/other/cuda/mma.cuh"
"$nvcc" -I"$work/other" "${flags[@]}" -arch=sm_80 -cubin -o "$work/other.cubin" "$kernels/cuda/module/products_mma.cu"
"$nvdisasm" -c "$work/other.cubin" >"$work/other.sass"
instructions 80 "$work/other.sass" | grep -qx "80 MmaF16 HMMA.16816.F32.BF16" || {
    echo "FAILED: the audit overlooks another instruction"; instructions 80 "$work/other.sass"; exit 1; }
echo "audited $(wc -l <"$work/found") kernels: every wrapper is the instruction it should be"
