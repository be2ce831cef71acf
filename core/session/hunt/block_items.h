#pragma once
#include <string>
#include <vector>

#include "hunt/hunt.h"
#include "session/run_block.h"

namespace divdet {

/// What of a live block is switched item by item. A layer is the ops whose names share what stands before the
/// first dot. Stages are a counter: the first n of them are run.
enum class Over { passes, ops, pairs, layers, stages };
Result<Over> parseOver(const std::string& text); ///< passes, ops, pairs, layers, stages; error: usage
std::string toString(Over over);

/// The items of a block with its passes on, and the passes that a set of items leaves.
class BlockItems {
public:
    /// Errors: those of the block; usage when there is no pass, and so nothing to switch.
    static Result<BlockItems> of(const BlockRequest& request, Over over);

    const std::vector<std::string>& names() const { return m_names; }
    hunt::Form form() const { return m_over == Over::stages ? hunt::Form::counter : hunt::Form::sets; }
    std::vector<lower::PassChoice> passes(const hunt::ItemSet& on) const;

private:
    struct Acting {
        std::size_t pass;
        std::string op;
        std::size_t item; ///< that switches this pass at this op
    };
    Over m_over = Over::passes;
    std::vector<lower::PassChoice> m_passes; ///< as given
    std::vector<std::string> m_names;
    std::vector<Acting> m_acting;
};

} // namespace divdet
