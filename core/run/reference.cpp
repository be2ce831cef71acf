#include "run/reference.h"

#include "lower/lower.h"

namespace divdet::run {
namespace {

/// The fp64 reference as a device without slots.
class Reference64 : public Backend {
public:
    static constexpr const char* kDevice = "reference:fp64";

    std::vector<DeviceInfo> devices() const override { return {}; }

    Result<Tensor> runOp(const DeviceId&, const lower::LoweredOp& op, std::span<const Tensor> inputs,
                         const Progress& progress) override {
        return block::opDef(op.kind).reference64(inputs, op.attributes, progress);
    }
};

} // namespace

Result<Taps> reference64(const block::BoundGraph& block, const Inputs& inputs, OpCache* cache,
                         const Progress& progress) {
    auto plain = lower::lower(block, {});
    if (!plain) return plain.error();
    for (lower::LoweredOp& op : plain->ops) op.slots.storage = DType::f64;
    Reference64 backend;
    return execute(*plain, inputs, {backend, Reference64::kDevice, cache}, progress);
}

Result<Taps> reference32(const block::BoundGraph& block, const Inputs& inputs, const Target& target,
                         const Progress& progress) {
    auto plain = lower::lower(block, {});
    if (!plain) return plain.error();
    return execute(*plain, inputs, target, progress);
}

} // namespace divdet::run
