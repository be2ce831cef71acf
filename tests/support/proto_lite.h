#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace divdet::testing {

/// Protobuf messages written field by field, well-formed or not.
class Proto {
public:
    Proto& varint(std::uint32_t field, std::uint64_t value) {
        number(field << 3);
        number(value);
        return *this;
    }
    Proto& bytes(std::uint32_t field, const std::string& payload) {
        number((field << 3) | 2);
        number(payload.size());
        text += payload;
        return *this;
    }
    Proto& message(std::uint32_t field, const Proto& inner) { return bytes(field, inner.text); }
    template <class T>
    Proto& raw(const std::vector<T>& values) {
        return bytes(9, std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    }
    std::vector<std::byte> file() const {
        const auto* first = reinterpret_cast<const std::byte*>(text.data());
        return {first, first + text.size()};
    }
    std::string text;

private:
    void number(std::uint64_t v) {
        for (; v >= 0x80; v >>= 7) text += static_cast<char>(v | 0x80);
        text += static_cast<char>(v);
    }
};

/// A TensorProto of floats with one dimension.
inline Proto floatTensor(const std::string& name, const std::vector<float>& values) {
    return Proto().varint(1, values.size()).varint(2, 1).bytes(8, name).raw(values);
}

/// A ModelProto around a graph.
inline Proto onnxModel(const Proto& graph) {
    return Proto().varint(1, 8).message(7, graph).message(8, Proto().varint(2, 17));
}

} // namespace divdet::testing
