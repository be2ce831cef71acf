#pragma once
#include <array>
#include <cstdint>

#include "dump/limits.h"
#include "dump/protobuf_walker.h"

namespace divdet {

/// A TensorProto message (onnx/onnx.proto) as its fields tell it. Offsets are in the file. Trivially
/// destructible, since it is filled while mapped bytes are read under a guard.
struct TensorProtoFields {
    /// The repeated fields that hold values, by their field numbers.
    enum Values : std::uint32_t {
        floats = 4,
        ints = 5,
        strings = 6,
        longs = 7,
        doubles = 10,
        unsigneds = 11
    };

    ByteRange message;
    std::array<std::int64_t, limits::kOnnxDims> dims{};
    std::size_t rank = 0; ///< may exceed kOnnxDims; then `dims` holds the first ones
    std::int32_t dataType = 0;
    bool segment = false, external = false;
    bool hasRaw = false;
    ByteRange name, raw;
    ByteRange location, offset, length; ///< of external data; texts
    bool hasLocation = false, hasOffset = false, hasLength = false;
    std::array<std::uint64_t, 12> counts{}; ///< numbers in each field of values

    const char* fault = nullptr; ///< the message is no protobuf from here on
    std::uint64_t faultOffset = 0;
    bool truncated = false;

    bool hasTyped() const {
        for (const std::uint64_t n : counts)
            if (n) return true;
        return false;
    }
};

/// Never allocates. Later single fields replace earlier ones, repeated ones add up, as protobuf has it.
TensorProtoFields scanTensorProto(const std::byte* file, ByteRange message);

} // namespace divdet
