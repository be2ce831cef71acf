#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "block/bind.h"
#include "compare/comparison.h"
#include "dump/dump.h"
#include "dump/pairing.h"
#include "judge/context.h"
#include "judge/declared.h"
#include "run/taps.h"
#include "session/session.h"

namespace divdet {

/// The graph of the program that made a dump, with the dump's taps in the places of its values.
class GraphOfDump {
public:
    struct Sources {
        const Dump& candidate;
        const Pairing& pairing;
        const Dump& reference;        ///< for names that only the pairing joins
        LoadOptions load;             ///< of the candidate
        std::filesystem::path inputs; ///< weights and inputs by name; may be empty
    };

    /// Values are found by the name of their `tap`, or else their own: as it is, without noise
    /// (dump/name_noise.h), without case, or as the reference calls the tap. Weights come from `inputs` or
    /// the dump, inputs from the dump or `inputs`. What is found nowhere is left out, and the ops that need
    /// it are not judged. Errors, each with the graph's file and the op or field in its path: those of
    /// readGraph and bind; unsupported for an ONNX file; notFound for a stated `tap` that the dump has not,
    /// and where no op has a tap at all; mismatch for a tap of another shape than the graph says (dims of
    /// size 1 do not count).
    static Result<GraphOfDump> open(const std::filesystem::path& file, const Sources& sources);

    /// The comparison with the classes that the graph gives (judgeRecorded), and notes on what was judged.
    /// Errors: usage for `made.passes` that are none; cancelled.
    Result<std::shared_ptr<const Comparison>> judge(Session& session, const Comparison& comparison,
                                                    const Declared& declared, const JudgeContext& context,
                                                    const Progress& progress) const;

    /// `text` of --declare and the lossy steps that the run did which made the dump, for judges that know no
    /// graph.
    std::string withDeclared(std::string text) const;

    /// Whether the file of inputs became shorter while it was read: what is gone read as zeros.
    bool damaged() const;

private:
    std::filesystem::path m_file;
    std::shared_ptr<const Dump> m_given; ///< file of inputs; may be null
    block::BoundGraph m_block;
    run::Taps m_taps;                           ///< named as the graph's values
    std::vector<Tensor> m_inputs;               ///< by ValueIndex; those without data are missing
    std::map<std::string, std::size_t> m_pairs; ///< value → pair
    std::vector<std::string> m_notes;
};

} // namespace divdet
