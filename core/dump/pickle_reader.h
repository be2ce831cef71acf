#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "dump/pickle_value.h"

namespace divdet {

/// What a global that a pickle names may stand for. `dict` and `set` become such values when called; `inert`
/// ones are kept as names and their calls as records of a name with arguments.
enum class PickleGlobal { refused, dict, set, inert };

/// Judges `module.name`. Whatever it answers, nothing is imported or run.
struct PickleGlobals {
    PickleGlobal (*judge)(std::string_view dotted) = nullptr;
    /// Message and hint for a refused name; null: the usual words.
    Error (*refusal)(std::string_view dotted) = nullptr;
};

Error refusedGlobal(std::string_view dotted); ///< the usual words, without path and offset

/// Reads one pickle (protocols 2 to 5) that starts at `start` as data. Errors, with the offset in `bytes` and
/// no path: refused (a global that `globals` refuses, named; an opcode outside PickleOp, named; a limit),
/// truncated, malformed. At most 4 GiB of bytes.
Result<Pickle> readPickle(std::span<const std::byte> bytes, std::size_t start, PickleGlobals globals);

} // namespace divdet
