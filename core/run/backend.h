#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "run/key.h"
#include "tensor/tensor.h"

// Only named here: the definition has members that are keywords of Qt, and this header reaches the workbench.
namespace divdet::lower {
struct LoweredOp;
struct LoweredGraph;
} // namespace divdet::lower

namespace divdet::run {

using DeviceId = std::string; ///< `cpu:sm_80`, `cuda:0`

/// What a device says of its results against the CPU twin of its architecture.
enum class Promise : std::uint8_t {
    exact,       ///< the same bits
    bounded,     ///< within the hard bound of the arithmetic
    approximate, ///< no statement
};
enum class DeviceKind : std::uint8_t { cpuTwin, gpu };

std::string_view name(Promise promise);
std::string_view name(DeviceKind kind); ///< cpu, gpu

struct DeviceInfo {
    DeviceId id;
    std::string title;
    std::string architecture; ///< whose arithmetic it does: sm_80
    DeviceKind kind = DeviceKind::cpuTwin;
    Promise promise = Promise::exact;
    bool available = true;
    std::string whyNot; ///< when it is not available
};

/// What the bits that an op reads and writes are called: equal keys mean equal bits, whatever the tensors. A
/// key of zeros names nothing; so does a missing one.
struct OpKeys {
    std::span<const Key> inputs;
    Key result;
};

/// Inputs and weights of a replay by ValueIndex, in the dtypes they are kept in; weights are the same in
/// both.
struct ReplayInputs {
    std::span<const Tensor> previous, now;
    std::span<const Key> keys; ///< of `now`
};

struct Replayed {
    std::vector<Tensor> results; ///< by op, of the second launch
    std::string note;            ///< what the user should know of how it was done; mostly empty
};

/// Runs lowered ops on its devices. Called from several threads at once; the same arguments give the same
/// bits, whatever the number of threads (unless the promise says otherwise).
class Backend {
public:
    virtual ~Backend() = default;

    virtual std::vector<DeviceInfo> devices() const = 0;

    /// Inputs are contiguous and native-endian, in the dtypes that LoweredGraph::storage gives, with shapes
    /// the op accepts. The result is contiguous and has dtype op.slots.storage. Errors: unsupported for slots
    /// it cannot do, cancelled.
    virtual Result<Tensor> runOp(const DeviceId& device, const lower::LoweredOp& op,
                                 std::span<const Tensor> inputs, const Progress& progress) = 0;

    /// The same, with keys, by which a backend that keeps tensors elsewhere may find them there.
    virtual Result<Tensor> runKeyedOp(const DeviceId& device, const lower::LoweredOp& op,
                                      std::span<const Tensor> inputs, const OpKeys& keys,
                                      const Progress& progress);

    /// The program as runProgram of run/replay.h replays it, at one go: on the previous inputs, then in the
    /// same memory on the others. Nothing where the backend does not do that; then its ops are run singly.
    virtual Result<std::optional<Replayed>> replayProgram(const DeviceId& device,
                                                          const lower::LoweredGraph& program,
                                                          const ReplayInputs& inputs,
                                                          const Progress& progress);

    /// Elements 0, 1, … of a counter-based stream of standard normal numbers (numerics/philox.h), which are
    /// the same on every device. A backend overrides this only to be faster.
    virtual void fillNormal(std::uint64_t seed, std::uint32_t stream, std::span<float> out) {
        fillNormalPlain(seed, stream, out);
    }
    static void fillNormalPlain(std::uint64_t seed, std::uint32_t stream, std::span<float> out);
};

} // namespace divdet::run
