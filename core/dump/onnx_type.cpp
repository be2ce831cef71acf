#include "dump/onnx_type.h"

#include "dump/tensorproto_fields.h"

namespace divdet {
namespace {

using F = TensorProtoFields;

constexpr OnnxType kTypes[] = {
    {1, "FLOAT", DType::f32, 32, F::floats},
    {2, "UINT8", DType::u8, 8, F::ints},
    {3, "INT8", DType::i8, 8, F::ints},
    {4, "UINT16", DType::u16, 16, F::ints},
    {5, "INT16", DType::i16, 16, F::ints},
    {6, "INT32", DType::i32, 32, F::ints},
    {7, "INT64", DType::i64, 64, F::longs},
    {9, "BOOL", DType::boolean, 8, F::ints},
    {10, "FLOAT16", DType::f16, 16, F::ints},
    {11, "DOUBLE", DType::f64, 64, F::doubles},
    {12, "UINT32", DType::u32, 32, F::unsigneds},
    {13, "UINT64", DType::u64, 64, F::unsigneds},
    {14, "COMPLEX64", DType::c64, 64, F::floats, 2},
    {15, "COMPLEX128", DType::c128, 128, F::doubles, 2},
    {16, "BFLOAT16", DType::bf16, 16, F::ints},
    {17, "FLOAT8E4M3FN", DType::f8e4m3, 8, F::ints},
    {18, "FLOAT8E4M3FNUZ", DType::f32, 8, F::ints, 1, false, SmallFloat::f8e4m3fnuz},
    {19, "FLOAT8E5M2", DType::f8e5m2, 8, F::ints},
    {20, "FLOAT8E5M2FNUZ", DType::f32, 8, F::ints, 1, false, SmallFloat::f8e5m2fnuz},
    {21, "UINT4", DType::u8, 4, F::ints},
    {22, "INT4", DType::i8, 4, F::ints, 1, true},
    {23, "FLOAT4E2M1", DType::f32, 4, F::ints, 1, false, SmallFloat::f4e2m1},
    {24, "FLOAT8E8M0", DType::f32, 8, F::ints, 1, false, SmallFloat::f8e8m0},
    {25, "UINT2", DType::u8, 2, F::ints},
    {26, "INT2", DType::i8, 2, F::ints, 1, true},
    {27, "FLOAT6E2M3", DType::f32, 6, F::ints, 1, false, SmallFloat::f6e2m3},
    {28, "FLOAT6E3M2", DType::f32, 6, F::ints, 1, false, SmallFloat::f6e3m2},
};

} // namespace

const OnnxType* onnxType(std::int32_t number) {
    for (const OnnxType& type : kTypes)
        if (type.number == number) return &type;
    return nullptr;
}

} // namespace divdet
