#include "compare/rules/element_rule.h"

#include "compare/rules/numpy_rule.h"
#include "compare/rules/plain_rule.h"
#include "compare/rules/polygraphy_rule.h"
#include "compare/rules/torch_rule.h"

namespace divdet::rules {

Result<BlockRule> elementRule(const RuleInput& in, const Tolerance& t) {
    switch (t.rule) {
    case Rule::numpy:
        return numpyRule(in.reference, in.candidate, t);
    case Rule::torch:
        return torchRule(in.reference, in.candidate, t);
    case Rule::polygraphyElemwise:
        return polygraphyElemwise(in.reference, in.candidate, t);
    default:
        return plainRule(in.reference, in.candidate, t);
    }
}

Result<std::int64_t> firstMismatch(const RuleInput& in, const Tolerance& t, const Progress& progress) {
    auto rule = elementRule(in, t);
    if (!rule) return rule.error();
    auto out = countMismatches(in, *rule, {nullptr, progress.token});
    if (!out) return out.error();
    return out->firstMismatch;
}

} // namespace divdet::rules
