#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace divdet {

/// One value of an unpickled graph. Others are named by their place in `Pickle::values`, so that shared and
/// even cyclic values are no danger: a walk must bound its depth and its visits.
struct PickleValue {
    enum class Kind : std::uint8_t {
        none,
        boolean,    ///< integer is 0 or 1
        integer,    ///< fits 64 bits
        bigInteger, ///< text holds the bytes, little-endian two's complement
        real,
        text,       ///< UTF-8 as the file has it, not checked
        bytes,      ///< in text
        tuple,      ///< items
        list,       ///< items
        set,        ///< items
        dict,       ///< items: key, value, key, value, …
        global,     ///< text: `module.name`; a name, nothing is looked up
        call,       ///< items: the global, its tuple of arguments, then the state of BUILD if any; not made
        persistent, ///< items: the identifier (PyTorch: a tuple that describes a storage)
    };
    Kind kind = Kind::none;
    std::uint32_t offset = 0; ///< of its opcode, from the start of the bytes given to readPickle
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text; ///< in the bytes that were read (they must outlive this) or in `Pickle::names`
    std::vector<std::uint32_t> items;
};

struct Pickle {
    std::vector<PickleValue> values;
    std::unordered_set<std::string> names; ///< of globals
    std::uint32_t top = 0;                 ///< the value that STOP left
    std::uint64_t end = 0;                 ///< offset behind STOP

    const PickleValue& at(std::uint32_t index) const { return values[index]; }
};

} // namespace divdet
