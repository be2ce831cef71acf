#include "dump/minifier_dump.h"

#include <fmt/format.h>

#include "dump/open.h"
#include "dump/torch_values.h"
#include "dump/torch_window.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

class MinifierDump final : public Dump {
public:
    MinifierDump(Manifest manifest, std::vector<std::shared_ptr<const Dump>> dumps,
                 std::vector<TorchWindow> windows)
        : Dump(std::move(manifest))
        , m_dumps(std::move(dumps))
        , m_windows(std::move(windows)) {}

    std::optional<Error> damage(std::size_t index) const override {
        return m_dumps[index] ? m_dumps[index]->damage(0) : std::nullopt;
    }

private:
    Result<Tensor> loadStored(std::size_t index, const std::string&) const override {
        auto storage = m_dumps[index]->load(0);
        if (!storage) return storage;
        const TorchWindow& w = m_windows[index];
        TensorView view = windowView(w, storage->view().data, storage->view().swapped);
        Tensor tensor(std::move(view), std::make_shared<const Tensor>(std::move(*storage)));
        return w.type.small ? widen(tensor, *w.type.small) : tensor;
    }
    std::vector<std::shared_ptr<const Dump>> m_dumps;
    std::vector<TorchWindow> m_windows;
};

std::uint64_t bytesOf(const Dump& storage) {
    const TapEntry& tap = storage.taps()[0]; // a storage: one dimension, checked against its file
    return static_cast<std::uint64_t>(elementCount(tap.shape).value_or(0)) * itemSize(tap.dtype);
}

} // namespace

MinifierTaps::MinifierTaps(fs::path shown, fs::path storages)
    : m_storages(std::move(storages))
    , m_manifest{"minifier", std::move(shown), {}, {}, {}, std::nullopt} {}

Result<std::shared_ptr<const Dump>> MinifierTaps::storage(const std::string& hash) {
    if (const auto at = m_open.find(hash); at != m_open.end()) return at->second;
    const fs::path path = m_storages / hash;
    std::error_code failure;
    Result<std::shared_ptr<const Dump>> dump =
        Error{ErrorCode::notFound, "the storage of the tensor is not there", path.string(),
              "copy the whole folder of the minifier"};
    if (fs::symlink_status(path, failure).type() == fs::file_type::regular)
        dump = openDump(path, {.folders = false});
    if (dump &&
        ((*dump)->format() != "torch" || (*dump)->taps().size() != 1 || (*dump)->taps()[0].shape.size() != 1))
        dump = Error{ErrorCode::malformed, "the file is no saved storage", path.string(), "save it again"};
    else if (dump && (*dump)->taps()[0].error)
        dump = *(*dump)->taps()[0].error;
    return m_open.emplace(hash, std::move(dump)).first->second;
}

std::optional<Error> MinifierTaps::problem(const TorchWindow& window,
                                           const std::shared_ptr<const Dump>& storage,
                                           std::optional<std::uint64_t> bytes) const {
    const std::uint64_t there = bytesOf(*storage);
    if (bytes && *bytes != there)
        return Error{ErrorCode::malformed,
                     fmt::format("the storage holds {} bytes, the repro promises {}", there, *bytes),
                     storage->path().string(), "copy the folder of the minifier again"};
    return checkWindow(window, there);
}

void MinifierTaps::add(std::string name, TorchWindow window, const std::string& hash,
                       std::optional<std::uint64_t> bytes) {
    if (hash.empty())
        return addError(std::move(name), {ErrorCode::unsupported, "the repro saved no values of this input",
                                          "", "the repro fills it with random numbers", std::nullopt});
    auto dump = storage(hash);
    if (!dump) return addError(std::move(name), dump.error());
    if (auto e = problem(window, *dump, bytes)) return addError(std::move(name), std::move(*e));
    TapEntry tap;
    tap.name = std::move(name);
    tap.dtype = window.type.small ? DType::f32 : *window.type.dtype;
    tap.shape = window.shape;
    const auto [at, fresh] =
        m_seen.try_emplace(fmt::format("{} {} {} {} {}", hash, window.offset, window.type.name,
                                       toString(window.shape), toString(window.strides)),
                           m_manifest.taps.size());
    if (!fresh) tap.sameAs = at->second;
    m_manifest.taps.push_back(std::move(tap));
    m_dumps.push_back(*dump);
    m_windows.push_back(std::move(window));
}

void MinifierTaps::addStorage(const std::string& hash) {
    const auto dump = storage(hash);
    if (!dump) return addError(hash, dump.error());
    TapEntry tap = (*dump)->taps()[0];
    tap.name = hash;
    TorchWindow window;
    window.type.dtype = tap.dtype;
    window.type.item = itemSize(tap.dtype);
    window.shape = tap.shape;
    window.strides = {1};
    m_manifest.taps.push_back(std::move(tap));
    m_dumps.push_back(*dump);
    m_windows.push_back(std::move(window));
}

void MinifierTaps::addError(std::string name, Error error) {
    TapEntry tap;
    if (error.path.empty()) error.path = m_manifest.path.string() + ": " + name;
    tap.name = std::move(name);
    tap.error = std::move(error);
    m_manifest.taps.push_back(std::move(tap));
    m_dumps.push_back(nullptr);
    m_windows.emplace_back();
}

void MinifierTaps::addValue(std::string name, std::string value) {
    m_manifest.metadata.emplace_back(std::move(name), std::move(value));
}

std::shared_ptr<const Dump> MinifierTaps::finish() && {
    return std::make_shared<MinifierDump>(std::move(m_manifest), std::move(m_dumps), std::move(m_windows));
}

} // namespace divdet
