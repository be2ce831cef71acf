#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace divdet {

/// What a finding says of its pair. `note` says something worth knowing that decides nothing; `unclear` that
/// something is there which is neither a known drift nor surely a bug.
enum class FindingClass : std::uint8_t { note, drift, unclear, bug };

/// Why a pair differs. In rising order of badness. `inherited`: what it was made from differed already, so
/// that nothing can be said of its own operator, or it computed rightly on that.
enum class PairClass : std::uint8_t { identical, drift, inherited, unclear, bug };

std::string_view toString(FindingClass c); ///< note, drift, unclear, bug
std::string_view toString(PairClass c);    ///< identical, drift, inherited, unclear, bug

/// One number, index or word that a finding rests on.
using Evidence = std::variant<double, std::int64_t, std::vector<std::int64_t>, std::string>;

/// A named cause with what it rests on and one sentence that needs no other text to be understood.
struct Finding {
    std::string id; ///< as in judge/findings.def
    FindingClass kind = FindingClass::note;
    std::string text;
    std::vector<std::pair<std::string, Evidence>> evidence;
};

} // namespace divdet
