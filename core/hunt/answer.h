#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace divdet::hunt {

/// What a run says. `unresolved`: neither good nor the failure that is hunted: it could not run, took too
/// long, or failed in another way.
enum class Answer : std::uint8_t { good, bad, unresolved };

std::string_view toString(Answer answer); ///< good, bad, unresolved

/// One run.
struct Outcome {
    Answer answer = Answer::unresolved;
    /// Of a bad run, the kind of failure: "accuracy", "non-finite", "crash: assertion", "exit 1". A hunt
    /// keeps to one kind.
    std::string failure;
    std::string text; ///< half a sentence for the user: "ended with 3", "out needs rtol 0.0213"
    double size = 0;  ///< largest error where there is one that can be told; in the units of the data
};

} // namespace divdet::hunt
