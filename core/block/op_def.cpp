#include "block/op_def.h"

namespace divdet::block {
namespace ops {
#define DIVDET_OP(id) const OpDef& id();
#include "block/ops/ops.def"
#undef DIVDET_OP
} // namespace ops

const OpDef& opDef(OpKind kind) {
    using Getter = const OpDef& (*)();
    static constexpr Getter kGetters[] = {
#define DIVDET_OP(id) ops::id,
#include "block/ops/ops.def"
#undef DIVDET_OP
    };
    return kGetters[static_cast<std::size_t>(kind)]();
}

std::string_view name(OpKind kind) {
    return opDef(kind).name;
}

std::vector<OpKind> allOps() {
    return {
#define DIVDET_OP(id) OpKind::id,
#include "block/ops/ops.def"
#undef DIVDET_OP
    };
}

std::optional<OpKind> parseOpKind(std::string_view text) {
    for (OpKind kind : allOps())
        if (name(kind) == text) return kind;
    return std::nullopt;
}

const AttributeSpec* findAttribute(const OpDef& def, std::string_view attribute) {
    for (const AttributeSpec& spec : def.attributes)
        if (spec.name == attribute) return &spec;
    return nullptr;
}

} // namespace divdet::block
