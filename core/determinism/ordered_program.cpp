#include "determinism/ordered_program.h"

#include <fmt/format.h>

namespace divdet {
namespace {

constexpr const char* kSwitch = "deterministic"; ///< stands where the id of a pass stands in SetBy

Status hasOrder(const lower::LoweredOp& op, const run::DeviceInfo& device) {
    const std::string_view kind = block::name(op.kind);
    if (op.slots.missingBarrier)
        return Error{ErrorCode::unsupported,
                     fmt::format("{} reads tiles while they are written (pass race), which no order of "
                                 "additions mends; it has no deterministic variant",
                                 kind),
                     op.name, fmt::format("leave race off for {}, or run without --deterministic", op.name)};
    if (device.promise == run::Promise::approximate && block::opDef(op.kind).traits.matrixProduct)
        return Error{ErrorCode::unsupported,
                     fmt::format("{} on {} comes without any promise of its bits; it has no "
                                 "deterministic variant here",
                                 kind, device.id),
                     op.name, "use the own kernels (--gemm own), or run without --deterministic"};
    return Done{};
}

void setBySwitch(lower::LoweredOp& op, lower::Slot slot) {
    op.setBy[static_cast<std::size_t>(slot)] = kSwitch;
}

} // namespace

Result<OrderedProgram> orderedProgram(lower::LoweredGraph program, const run::DeviceInfo& device) {
    OrderedProgram out{std::move(program), {}};
    for (lower::LoweredOp& op : out.program.ops) {
        if (auto s = hasOrder(op, device); !s) return s.error();
        lower::Slots& slots = op.slots;
        if (slots.order == lower::SumOrder::atomics && op.kind == block::OpKind::scatter_add) {
            reset(slots, lower::Slot::order);
            setBySwitch(op, lower::Slot::order);
            out.changes.push_back(op.name + ": rows sorted by target and added in increasing order");
        } else if (slots.order == lower::SumOrder::atomics) {
            slots.order = lower::SumOrder::splitK;
            slots.orderSeed = 0;
            setBySwitch(op, lower::Slot::order);
            out.changes.push_back(
                fmt::format("{}: {} chunks of the sum added in increasing order", op.name, slots.splits));
        }
        if (slots.operand == lower::Operand::tf32) {
            reset(slots, lower::Slot::operand);
            setBySwitch(op, lower::Slot::operand);
            out.changes.push_back(op.name + ": fp32 operands in place of TF32");
        }
    }
    return out;
}

std::vector<std::string> opsLeftToChance(const lower::LoweredGraph& program) {
    std::vector<std::string> out;
    for (const lower::LoweredOp& op : program.ops)
        if (op.slots.order == lower::SumOrder::atomics) out.push_back(op.name);
    return out;
}

} // namespace divdet
