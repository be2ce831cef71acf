#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tensor/shape.h"

namespace divdet {

/// Keys keep the order of the contract.
using Json = nlohmann::ordered_json;

/// A number; what JSON has no number for becomes "nan", "inf" or "-inf".
inline Json number(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    return x;
}
inline Json number(const std::optional<double>& x) {
    return x ? number(*x) : Json(nullptr);
}

/// Whole numbers of ulps are counts; above 2^53 they are no longer exact and stay floating.
inline Json count(const std::optional<double>& x) {
    if (!x) return nullptr;
    if (*x < 0x1p53 && *x == std::floor(*x)) return static_cast<std::int64_t>(*x);
    return number(*x);
}

inline Json position(std::int64_t flat, const Shape& shape) {
    return flat < 0 ? Json(nullptr) : Json(unravel(flat, shape));
}

inline Json toJson(const Error& e) {
    return {{"code", toString(e.code)},
            {"message", e.message},
            {"path", e.path},
            {"offset", e.offset ? Json(*e.offset) : Json(nullptr)},
            {"hint", e.hint}};
}
inline Json toJson(const std::optional<Error>& e) {
    return e ? toJson(*e) : Json(nullptr);
}

/// Text of a document; bytes that are not UTF-8 (names from hostile files) are replaced, never an exception.
inline std::string text(const Json& j, int indent = 1) {
    return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace divdet
