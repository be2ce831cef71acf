#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/backend_abi.h"

namespace divdet::cuda {

/// The attributes of one op. Reading one marks it; refuseRest() then names what nobody has read, so that
/// nothing is ignored in silence. Throws Failure: DIVDET_INVALID for a text that is no number.
class Attributes {
public:
    explicit Attributes(const divdet_op& op);

    std::string text(const std::string& key, std::string_view fallback) const;
    std::int64_t integer(const std::string& key, std::int64_t fallback) const;
    std::uint64_t seed(const std::string& key) const; ///< 0 when absent
    float number(const std::string& key, float fallback) const;
    std::vector<std::int64_t> integers(const std::string& key) const; ///< "2,3,4"; empty when absent

    /// Position of the value in `names`. Throws DIVDET_UNSUPPORTED for another one.
    template <class Enum>
    Enum oneOf(const std::string& key, std::initializer_list<std::string_view> names) const {
        return static_cast<Enum>(position(key, names));
    }

    /// Throws DIVDET_UNSUPPORTED when an attribute was never asked for.
    void refuseRest() const;

private:
    int position(const std::string& key, std::initializer_list<std::string_view> names) const;
    struct Entry {
        std::string value;
        bool read = false;
    };
    mutable std::map<std::string, Entry> m_entries;
};

} // namespace divdet::cuda
