#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compare/tolerance.h"
#include "session/session.h"

namespace divdet {

/// The op of a test whose tolerance is sought.
struct AdviseRequest {
    std::string op = "matmul"; ///< see adviseOps(), or a block as openBlock takes it
    std::map<std::string, std::int64_t>
        sizes;                       ///< m, n, k and what a block has; those not given have a default
    std::string dtype = "f32";       ///< of the operands: f32 tf32 bf16 fp16 int8 fp8
    std::string accumulator = "f32"; ///< f32 fp16 bf16
    std::string output;            ///< f32 bf16 fp16; empty: that of the operands where they are stored in it
    std::string inputs = "normal"; ///< kind of inputs
    std::int64_t elements = 0;     ///< compared by a run of the test; 0: all that the op gives
    double p = 1e-6;               ///< how often an honest run may fail
    std::optional<double> rtol, atol; ///< a tolerance to judge; the one that is not given is 0
    std::uint64_t seed = 0;
    std::string device; ///< whose arithmetic; empty: the first device

    friend bool operator==(const AdviseRequest&, const AdviseRequest&) = default;
};

/// How many runs with one fault fail, so that the test finds it.
struct FaultPower {
    std::string fault, title;
    int runs = 0;
    bool acts = false;      ///< it changes some bit at these sizes
    double acting = 0;      ///< share of the runs in which it does; no tolerance catches more
    double recommended = 0; ///< share of the runs that the recommended tolerance catches
    std::optional<double> given;
    std::string text; ///< where it passes, and what helps; empty: it is caught
};

enum class ToleranceVerdict { flaky, fine, blind };
std::string_view toString(ToleranceVerdict verdict);

/// What is said of a tolerance that the user gave.
struct GivenTolerance {
    Tolerance tolerance;
    ToleranceVerdict verdict = ToleranceVerdict::fine;
    double falseAlarm = 0;
    std::vector<std::string> blindTo; ///< faults that the recommended tolerance catches and this one does not
};

struct Advice {
    AdviseRequest request; ///< everything filled in
    std::string what;      ///< "matmul 64 x 4096 x 64, bf16 operands, …"
    std::string reference; ///< what to compare with
    Tolerance recommended, linked;
    double falseAlarm = 0, linkedAlarm = 0; ///< of an honest run
    /// Multiples of the recommended pair, none where it catches nothing: the largest that still catches
    /// something of the table, and the largest that loses nothing of it.
    std::optional<Tolerance> loosest, lossless;
    std::string loosestCatches, firstLost; ///< those faults
    std::int64_t elements = 0;
    int draws = 0;
    double widening = 1; ///< of the expected spread, where honest runs are farther off
    std::vector<FaultPower> power;
    std::optional<GivenTolerance> given;
    std::vector<std::string> notes;
    double seconds = 0;
};

std::vector<std::string> adviseOps(); ///< the ops that are no block

/// A size of an op or block that can be chosen.
struct AdviseSize {
    std::string option; ///< "k": in AdviseRequest::sizes and on the command line
    std::string name;   ///< what the op calls it: "width"
    std::int64_t value; ///< where none is given
};

/// In the op's own order. Error: notFound, saying which ops there are.
Result<std::vector<AdviseSize>> adviseSizes(const std::string& op);

/// The choices of `dtype`, `accumulator` and `output`.
std::vector<std::string> adviseDTypes();
std::vector<std::string> adviseAccumulators();
std::vector<std::string> adviseOutputs();

/// `divdet advise …` that asks the same; what has its default is left out.
std::string commandLine(const AdviseRequest& request);

/// Derives the tolerance from what theory expects of a few draws of the data, and measures its power by
/// running every fault that fits. Errors: usage, saying what to give; those of running a block; cancelled.
Result<std::shared_ptr<const Advice>> advise(Session& session, const AdviseRequest& request,
                                             const Progress& progress = {});

} // namespace divdet
