#include "cuda/loader/cuda_backend.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "cuda/loader/abi_graph.h"
#include "cuda/loader/op_text.h"
#include "run/device_id.h"

namespace divdet::cuda {
namespace {

/// A buffer for what the module has to say.
class ErrorText {
public:
    divdet_error* get() {
        m_error = {sizeof m_error, static_cast<std::uint32_t>(m_text.size()), m_text.data()};
        return &m_error;
    }
    Error error(divdet_status status, const std::string& path) const {
        std::string text =
            m_text[0] ? m_text.data()
                      : fmt::format("the CUDA module failed with status {}", static_cast<int>(status));
        switch (status) {
        case DIVDET_CANCELLED:
            return {ErrorCode::cancelled, "cancelled", "", ""};
        case DIVDET_UNSUPPORTED:
            return {ErrorCode::unsupported, std::move(text), path, "switch that pass off for this op"};
        case DIVDET_NOT_FOUND:
            return {ErrorCode::notFound, std::move(text), path, "see divdet devices"};
        case DIVDET_OUT_OF_MEMORY:
            return {ErrorCode::refused, std::move(text), path,
                    "make the block smaller, or run it on the CPU"};
        default:
            return {ErrorCode::internal, std::move(text), path, ""};
        }
    }

private:
    std::array<char, 512> m_text{};
    divdet_error m_error{};
};

int cancelledOf(void* progress) {
    return static_cast<const Progress*>(progress)->cancelled() ? 1 : 0;
}

divdet_run_options optionsOf(const run::DeviceId& device, const Progress& progress) {
    divdet_run_options options{};
    options.struct_size = sizeof options;
    options.use_library_gemm = run::multipliesByLibrary(device) ? 1 : 0;
    options.cancelled = cancelledOf;
    options.context = const_cast<Progress*>(&progress);
    return options;
}

} // namespace

struct CudaBackend::Session {
    std::shared_ptr<const CudaModule> module;
    divdet_session* handle = nullptr;
    std::mutex mutex;
    ~Session() { module->table().close(handle); }
};

struct CudaBackend::Opened {
    std::shared_ptr<const CudaModule> module;
    std::vector<divdet_device_info> devices;
    std::string whyNot; ///< when there are none

    static Opened of(std::shared_ptr<const CudaModule> given) {
        Opened o;
        if (!given) {
            auto loaded = loadCudaModule();
            if (!loaded) {
                o.whyNot = loaded.error().text();
                return o;
            }
            given = *loaded;
        }
        o.module = std::move(given);
        o.list();
        return o;
    }

private:
    void list() {
        const divdet_backend_v1& table = module->table();
        ErrorText text;
        std::uint32_t count = 0;
        if (const auto s = table.device_count(&count, text.get()); s != DIVDET_OK) {
            whyNot = text.error(s, "").message;
            return;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            divdet_device_info info{};
            info.struct_size = sizeof info;
            if (const auto s = table.device_info(i, &info, text.get()); s != DIVDET_OK) {
                whyNot = text.error(s, "").message;
                return;
            }
            devices.push_back(info);
        }
        if (devices.empty()) whyNot = "there is no NVIDIA GPU";
    }
};

const CudaBackend::Opened& CudaBackend::opened() const {
    std::call_once(m_once, [this] { m_opened = std::make_shared<const Opened>(Opened::of(m_given)); });
    return *m_opened;
}

std::vector<run::DeviceInfo> CudaBackend::devices() const {
    const Opened& o = opened();
    std::vector<run::DeviceInfo> all;
    if (o.devices.empty()) {
        run::DeviceInfo none;
        none.id = "cuda";
        none.title = "NVIDIA GPU";
        none.kind = run::DeviceKind::gpu;
        none.available = false;
        none.whyNot = o.whyNot;
        all.push_back(std::move(none));
        return all;
    }
    for (std::size_t i = 0; i < o.devices.size(); ++i) {
        const divdet_device_info& d = o.devices[i];
        run::DeviceInfo info;
        info.id = fmt::format("cuda:{}", i);
        info.title = fmt::format("{} (driver {}, CUDA {})", d.name, d.driver_version, d.runtime_version);
        info.architecture = fmt::format("sm_{}", d.compute_capability);
        info.kind = run::DeviceKind::gpu;
        info.promise = run::Promise::exact;
        all.push_back(info);
        if (d.blas_version[0] == '\0') continue;
        info.id += run::kLibrarySuffix;
        // What decides cuBLAS's choice of a kernel, and so its bits.
        const std::string lt = d.blas_lt_version[0] ? fmt::format(" and cuBLASLt {}", d.blas_lt_version)
                                                    : fmt::format(" without cuBLASLt ({})", d.blas_lt_note);
        info.title = fmt::format("{} by cuBLAS {}{}, {} multiprocessors", d.name, d.blas_version, lt,
                                 d.multiprocessors);
        // It switches TF32 off, or on, behind everybody's back.
        if (const char* const forced = std::getenv("NVIDIA_TF32_OVERRIDE"))
            info.title += fmt::format(", NVIDIA_TF32_OVERRIDE={}", forced);
        info.promise = run::Promise::bounded;
        all.push_back(std::move(info));
    }
    return all;
}

Result<std::shared_ptr<CudaBackend::Session>> CudaBackend::sessionOf(std::uint32_t device) {
    const std::lock_guard lock(m_mutex);
    auto& known = m_sessions[device];
    if (known) return known;
    auto session = std::make_shared<Session>();
    session->module = opened().module;
    ErrorText text;
    const auto s = session->module->table().open(device, &session->handle, text.get());
    if (s != DIVDET_OK) return text.error(s, fmt::format("cuda:{}", device));
    known = std::move(session);
    return known;
}

void CudaBackend::drop(std::uint32_t device) {
    const std::lock_guard lock(m_mutex);
    m_sessions.erase(device);
}

Result<std::uint32_t> CudaBackend::numberOf(const run::DeviceId& device, const Progress& progress) const {
    const auto all = devices();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.id == device; });
    if (found == all.end())
        return Error{ErrorCode::notFound, "there is no such GPU", device, "see divdet devices"};
    if (!found->available) return Error{ErrorCode::unsupported, found->whyNot, device, "see divdet devices"};
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
    return static_cast<std::uint32_t>(std::strtoul(device.c_str() + 5, nullptr, 10));
}

Result<Tensor> CudaBackend::runKeyedOp(const run::DeviceId& device, const lower::LoweredOp& op,
                                       std::span<const Tensor> inputs, const run::OpKeys& keys,
                                       const Progress& progress) {
    const auto described = describe(op, inputs);
    if (!described) return described.error();
    return runDescribed(device, op, *described, inputs, keys, progress);
}

Result<Tensor> CudaBackend::raceOp(const run::DeviceId& device, const lower::LoweredOp& op,
                                   std::span<const Tensor> inputs, const run::RaceOptions&,
                                   run::RaceSeen& seen, const Progress& progress) {
    if (op.slots.order != lower::SumOrder::atomics)
        return Error{ErrorCode::usage, "the order of this op is not left to atomic additions", op.name,
                     "switch the pass atomics on for it"};
    if (op.kind != block::OpKind::scatter_add)
        return Error{
            ErrorCode::unsupported,
            fmt::format("the CUDA module has no {} whose sums are left to atomic additions: {} is not "
                        "measured",
                        block::name(op.kind), device),
            op.name, "race the block scatter-add there, or this block on a CPU twin"};
    auto described = describe(op, inputs);
    if (!described) return described.error();
    described->attributes.emplace_back("atomics", "hardware");
    auto out = runDescribed(device, op, *described, inputs, {}, progress); // no keys: nothing may be kept
    if (out) ++seen.races;
    return out;
}

Result<Tensor> CudaBackend::runDescribed(const run::DeviceId& device, const lower::LoweredOp& op,
                                         const OpText& described, std::span<const Tensor> inputs,
                                         const run::OpKeys& keys, const Progress& progress) {
    const auto number = numberOf(device, progress);
    if (!number) return number.error();
    std::vector<divdet_value> values;
    std::vector<std::uint32_t> reads;
    for (const Tensor& t : inputs) {
        const auto type = abiTensor(t.dtype(), t.shape(), op.name);
        if (!type) return type.error();
        reads.push_back(static_cast<std::uint32_t>(values.size()));
        // A tensor without elements may have no bytes; the module must still see an input.
        static constexpr std::byte kNothing{};
        const std::byte* const data = t.view().data ? t.view().data : &kNothing;
        const std::size_t at = values.size();
        values.push_back({*type, "", data, at < keys.inputs.size() ? shortened(keys.inputs[at]) : 0});
    }
    const auto outType = abiTensor(op.slots.storage, described.shape, op.name);
    if (!outType) return outType.error();
    const auto output = static_cast<std::uint32_t>(values.size());
    values.push_back({*outType, op.name.c_str(), nullptr, shortened(keys.result)});
    std::vector<divdet_attribute> attributes;
    for (const auto& [key, value] : described.attributes) attributes.push_back({key.c_str(), value.c_str()});
    const std::string kind(block::name(op.kind));
    const divdet_op one{kind.c_str(),
                        reads.data(),
                        &output,
                        attributes.data(),
                        static_cast<std::uint32_t>(reads.size()),
                        1,
                        static_cast<std::uint32_t>(attributes.size())};
    const divdet_graph graph{sizeof(divdet_graph), output + 1, 1, 1, values.data(), &one, &output};
    const divdet_run_options options = optionsOf(device, progress);
    auto session = sessionOf(*number);
    if (!session) return session.error();
    const divdet_backend_v1& table = (*session)->module->table();
    const std::lock_guard lock((*session)->mutex);
    ErrorText text;
    divdet_run* run = nullptr;
    if (const auto s = table.run((*session)->handle, &graph, &options, &run, nullptr, text.get());
        s != DIVDET_OK) {
        if (s == DIVDET_DEVICE_ERROR) drop(*number); // the next op opens the device anew
        return text.error(s, op.name);
    }
    TensorBuilder out(op.slots.storage, described.shape);
    const auto bytes = out.bytes();
    const auto copied = table.tap_copy(run, 0, bytes.data(), bytes.size(), text.get());
    table.release(run);
    if (copied != DIVDET_OK) return text.error(copied, op.name);
    return std::move(out).finish();
}

Result<std::optional<run::Replayed>> CudaBackend::replayProgram(const run::DeviceId& device,
                                                                const lower::LoweredGraph& program,
                                                                const run::ReplayInputs& inputs,
                                                                const Progress& progress) {
    const auto number = numberOf(device, progress);
    if (!number) return number.error();
    auto session = sessionOf(*number);
    if (!session) return session.error();
    const divdet_backend_v1& table = (*session)->module->table();
    const bool replays = table.struct_size >= offsetof(divdet_backend_v1, replay) + sizeof table.replay;
    if (!replays || !table.replay) return std::optional<run::Replayed>();
    const auto described = AbiGraph::of(program, inputs);
    if (!described) return described.error();
    if (!*described) return std::optional<run::Replayed>();
    const AbiGraph& abi = **described;
    const divdet_graph graph = abi.graph();
    std::array<char, 256> note{};
    const divdet_replay how{sizeof how,
                            static_cast<std::uint32_t>(abi.stale().size()),
                            abi.previous().data(),
                            abi.stale().data(),
                            note.data(),
                            static_cast<std::uint32_t>(note.size())};
    const divdet_run_options options = optionsOf(device, progress);

    const std::lock_guard lock((*session)->mutex);
    ErrorText text;
    divdet_run* run = nullptr;
    std::uint32_t failed = 0;
    if (const auto s = table.replay((*session)->handle, &graph, &options, &how, &run, &failed, text.get());
        s != DIVDET_OK) {
        if (s == DIVDET_DEVICE_ERROR) drop(*number);
        return text.error(s, failed < program.ops.size() ? program.ops[failed].name : device);
    }
    run::Replayed out;
    for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
        const lower::LoweredOp& op = program.ops[i];
        TensorBuilder result(op.slots.storage, program.block.shapes[op.output]);
        const auto bytes = result.bytes();
        const auto copied = table.tap_copy(run, i, bytes.data(), bytes.size(), text.get());
        if (copied != DIVDET_OK) {
            table.release(run);
            return text.error(copied, op.name);
        }
        out.results.push_back(std::move(result).finish());
    }
    table.release(run);
    if (note[0])
        out.note = fmt::format("{} replayed the program launch by launch, as it captured no CUDA graph ({})",
                               device, note.data());
    return std::optional<run::Replayed>(std::move(out));
}

} // namespace divdet::cuda
