#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "session/result/fields.h"

/// Values of a result as a CBOR document. Long rows of numbers are byte strings of little-endian numbers.
namespace divdet::result {

using Node = nlohmann::json;

template <class T>
Node bytesOf(const std::vector<T>& values) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(values.data());
    return Node::binary(std::vector<std::uint8_t>(p, p + values.size() * sizeof(T)));
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::same_as<T, std::string>;
template <class T>
concept Fielded = requires(const T& t) {
    eachField(t, [](const char*, const auto&) {});
};

Node encode(const Frontier& frontier);
Node encode(const ErrorHistogram& histogram);
inline Node encode(const std::filesystem::path& p) {
    return p.string();
}
inline Node encode(const std::vector<float>& v) {
    return bytesOf(v);
}
inline Node encode(DType t) {
    return name(t);
}
inline Node encode(const RankJoin& join) {
    return toString(join);
}
inline Node encode(JudgeSelection::Kind k) {
    return static_cast<int>(k);
}

Node encode(const Evidence& e);

template <Plain T>
Node encode(const T& v) {
    return v;
}
template <class T>
requires std::is_enum_v<T> Node encode(T v) {
    return toString(v);
}
template <Fielded T>
Node encode(const T& v);
template <class T>
Node encode(const std::optional<T>& v);
template <class T>
Node encode(const std::shared_ptr<const T>& v);
template <class A, class B>
Node encode(const std::pair<A, B>& v);
template <class T, std::size_t N>
Node encode(const std::array<T, N>& v);

template <class T>
Node encode(const std::vector<T>& v) {
    Node out = Node::array();
    for (const auto& x : v) out.push_back(encode(x));
    return out;
}
template <class T, std::size_t N>
Node encode(const std::array<T, N>& v) {
    Node out = Node::array();
    for (const auto& x : v) out.push_back(encode(x));
    return out;
}
template <class T>
Node encode(const std::optional<T>& v) {
    return v ? encode(*v) : Node(nullptr);
}
template <class T>
Node encode(const std::shared_ptr<const T>& v) {
    return v ? encode(*v) : Node(nullptr);
}
template <class A, class B>
Node encode(const std::pair<A, B>& v) {
    return Node::array({encode(v.first), encode(v.second)});
}
template <Fielded T>
Node encode(const T& v) {
    Node out = Node::object();
    eachField(v, [&](const char* key, const auto& x) { out[key] = encode(x); });
    return out;
}

} // namespace divdet::result
