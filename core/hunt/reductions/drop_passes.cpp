#include "hunt/reducer.h"

namespace divdet::hunt::reductions {
namespace {

Status dropEach(Reducer& reducer) {
    for (std::size_t i = reducer.now().passes.size(); i-- > 0 && reducer.now().passes.size() > 1;) {
        Case candidate = reducer.now();
        candidate.passes.erase(candidate.passes.begin() + static_cast<std::ptrdiff_t>(i));
        const auto taken = reducer.offer(std::move(candidate));
        if (!taken) return taken.error();
    }
    return Done{};
}

/// The first op at which the pass alone is enough.
Status narrowToOneOp(Reducer& reducer, std::size_t pass) {
    const auto bound = block::bind(reducer.now().graph);
    if (!bound) return bound.error();
    const auto ops = lower::actingOps(*bound, reducer.now().passes[pass]);
    if (ops.size() < 2) return Done{};
    for (const std::string& op : ops) {
        Case candidate = reducer.now();
        candidate.passes[pass].ops = {op};
        const auto taken = reducer.offer(std::move(candidate));
        if (!taken) return taken.error();
        if (*taken) break;
    }
    return Done{};
}

} // namespace

Status dropPasses(Reducer& reducer) {
    if (auto s = dropEach(reducer); !s) return s;
    for (std::size_t i = 0; i < reducer.now().passes.size(); ++i)
        if (auto s = narrowToOneOp(reducer, i); !s) return s;
    return Done{};
}

} // namespace divdet::hunt::reductions
