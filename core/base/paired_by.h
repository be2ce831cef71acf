#pragma once
#include <cstdint>
#include <string_view>

namespace divdet {

/// How a tap of the candidate was found for one of the reference.
enum class PairedBy : std::uint8_t {
    name,
    normalised, ///< same name after wrappers' and exporters' noise is removed
    order,      ///< same place and shape, where all the rest matches
    user,
};

constexpr std::string_view toString(PairedBy by) {
    switch (by) {
    case PairedBy::name:
        return "name";
    case PairedBy::normalised:
        return "normalised";
    case PairedBy::order:
        return "order";
    case PairedBy::user:
        return "user";
    }
    return "name";
}

} // namespace divdet
