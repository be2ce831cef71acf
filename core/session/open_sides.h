#pragma once
#include <memory>

#include "session/compare_dumps.h"

namespace divdet {

/// The two dumps of a comparison, with runners and ranks chosen, taps split and transposed as asked, and the
/// pairing that follows from it.
struct Sides {
    std::shared_ptr<const Dump> reference, candidate;
    PairingOptions pairing;
};

/// Errors: those of openDump; usage for a file with several runners and no choice, and for names that are not
/// there; mismatch for parts that do not make up a tap.
Result<Sides> openSides(const CompareRequest& request);

/// Taps left alone that several of the other side make up, as notes with the option that compares them.
std::vector<std::string> splitSuggestions(const Dump& reference, const Dump& candidate,
                                          const Pairing& pairing);

} // namespace divdet
