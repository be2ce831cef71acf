#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "judge/context.h"
#include "judge/live/hypotheses.h"
#include "judge/local/residual.h"
#include "run/execute.h"

namespace divdet {

/// The comparison of a live run with every tap's class settled by what its op did with the inputs it read:
///
///   bug        an element lies beyond the hard bound of the declared arithmetic, or the arithmetic declared
///              leaves nothing of the result; findings say what differs from the exact op, and which pass
///              gives the same bits
///   unclear    the op is suspect: within its bound everywhere, but far nearer to it than honest runs come
///   inherited  the op is clean and an op before it is not
///   drift      the op is clean, and so is everything before it
///
/// Findings of a clean op that would call it a bug are dropped: declared drift, or an earlier op, explains
/// them; they are looked for at judged taps only. Inputs, and taps of ops that could not be judged, have the
/// class that the pair alone gives. `written` is the block before any pass. Error: cancelled.
Result<std::shared_ptr<const Comparison>>
judgeRun(const Comparison& comparison, const local::RecordedRun& run, const block::BoundGraph& written,
         const run::Target& target, const RunProgram& whole, const JudgeContext& context = {},
         const Progress& progress = {});

/// What is known of taps that were recorded elsewhere.
struct RecordedTaps {
    /// The same taps under each arithmetic that is declared, the likeliest first. An op is wrong only if it
    /// is wrong under all of them; backends choose per op. At least one.
    std::vector<local::RecordedRun> runs;
    std::map<std::string, std::size_t> pairs; ///< name of a value in the graph → its pair
    bool unknownScales = false; ///< 8-bit scales may come from a calibration: another result proves nothing

    /// Where passes can be run to look for one with the same bits; null: nowhere.
    const run::Target* target = nullptr;
    const block::BoundGraph* written = nullptr; ///< with a target
};

/// The comparison of two dumps, judged pair by pair before, with the classes of the taps that the graph
/// explains settled as judgeRun() does. A tap whose op could not be judged keeps the class it has and says
/// why (not-judged); one that inherits from taps that all turned out clean is drift. Foreign sums beyond a
/// thousand terms are bounded as random roundings allow, and findings call that a probabilistic bound. The
/// first bad pair is that of the first bad op. Error: cancelled.
Result<std::shared_ptr<const Comparison>> judgeRecorded(const Comparison& comparison,
                                                        const RecordedTaps& recorded,
                                                        const JudgeContext& context = {},
                                                        const Progress& progress = {});

/// Every pair judged alone, for devices whose arithmetic is not known.
std::shared_ptr<const Comparison> judgePairsAlone(const Comparison& comparison, const JudgeContext& context,
                                                  const Progress& progress = {});

} // namespace divdet
