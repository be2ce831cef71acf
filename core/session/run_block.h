#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "compare/comparison.h"
#include "judge/metric/metric_request.h"
#include "lower/pass_choice.h"
#include "session/judge_selection.h"
#include "session/session.h"

namespace divdet {

struct TaskMetric;

namespace block {
struct Graph;
}
namespace run {
struct Taps;
}

enum class ReferenceKind { fp32, fp64 };

struct BlockRequest {
    std::string block = "mlp"; ///< preset, stack:N or json:FILE
    std::map<std::string, std::int64_t>
        dims;                      ///< tokens, width, hidden, k …: only those that differ from the preset's
    std::string norm, activation;  ///< of presets that have a choice; empty: the preset's
    std::string inputs = "normal"; ///< input kind, or file; empty: as the graph has it
    std::string inputFile;         ///< tensors for inputs and weights by name; the others keep their kind
    std::uint64_t seed = 0;
    std::uint64_t runNumber = 0; ///< seed of what varies from run to run (atomics, race) and names no seed
    std::string device;          ///< empty: the first available one
    ReferenceKind reference = ReferenceKind::fp32;
    std::vector<lower::PassChoice> passes; ///< those that are on
    JudgeSelection judge;
    Tolerance tolerance; ///< for the exact counts of the scan; verdicts at others need no rerun
    MetricRequest metric;
    /// Judge every tap at the tolerance that theory derives for it, which an honest run exceeds with this
    /// probability; taps it does not know are judged at `tolerance`.
    std::optional<double> derived;
    bool eachAlone = true; ///< also run every pass that is on alone, and the two landmark bugs
    bool classify = true;  ///< also judge every op on the inputs it read: the class of each tap, and why
    std::vector<std::string> declared; ///< ids of passes that count as drift although they are bugs elsewhere
    /// In place of `block`: a graph that stands in no file, such as a smaller case. `block` then only names
    /// it.
    std::shared_ptr<const block::Graph> graph = nullptr;
};

/// One pass on its own against the same reference; only judged taps are compared, and no elements are kept.
struct PassAlone {
    lower::PassChoice choice;
    bool enabled = true; ///< false: a landmark, shown so that the window between drift and bug can be seen
    std::shared_ptr<const Comparison> comparison;
};

/// Snapshot of a live run.
struct LiveResult {
    BlockRequest request; ///< device and dims filled in
    std::shared_ptr<const Comparison> together;
    std::vector<PassAlone> alone;   ///< empty in a partial snapshot, or when not asked for
    double derivedK = 0;            ///< standard deviations of the judged output with most elements; derived
    std::vector<std::string> notes; ///< "tf32 is overridden by int8 on up, down", taps fused away
    std::shared_ptr<const run::Taps> reference, candidate; ///< of `together`, to be written as dumps
    std::shared_ptr<const TaskMetric> metric;              ///< of `together`; null: the block has no logits
    bool complete = false;
    double seconds = 0;                     ///< until `together`; the rest is not counted
    std::int64_t opsRun = 0, opsCached = 0; ///< of this request
};

/// The graph that the request means, before any pass: its sizes are the defaults of the dimensions, and kind
/// of inputs and file are applied. Errors: those of openBlock, bind and fillFromFile; usage for a kind of
/// inputs that there is not.
Result<block::Graph> blockGraph(const BlockRequest& request);

/// Writes that graph as JSON, to be run as `json:FILE`, with what the run that it asks for does on a device
/// whose bits are known (block::Made): `compare --graph` then judges dumps of that run as sharply as the run
/// itself. Errors: those of blockGraph, of finding the device and of writing.
Status writeBlockGraph(Session& session, const BlockRequest& request, const std::filesystem::path& file);

/// Writes inputs and weights of the block as the request draws them, by name; atomic. Errors: those of
/// blockGraph, of saveTaps and of finding the device.
Status writeBlockInputs(Session& session, const BlockRequest& request, const std::filesystem::path& file,
                        const Progress& progress = {});

/// The passes of a request that are drift or declared, seeds filled in: what its arithmetic is said to be.
std::vector<lower::PassChoice> declaredPasses(const BlockRequest& request);

/// Runs the block with and without the passes and compares. `partial` (may be empty) gets a snapshot as soon
/// as the verdict stands, and another with the classes, from the calling thread, before the single passes
/// run.
Result<std::shared_ptr<const LiveResult>>
runBlock(Session& session, const BlockRequest& request, const Progress& progress = {},
         const std::function<void(std::shared_ptr<const LiveResult>)>& partial = {});

/// The `divdet run …` command that makes the same run at this tolerance.
std::string commandLine(const BlockRequest& request, const Tolerance& tolerance);
/// Of a command line: the block, its sizes, passes, inputs, seeds and device.
std::string blockWords(const BlockRequest& request);

} // namespace divdet
