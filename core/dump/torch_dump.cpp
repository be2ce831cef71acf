#include "dump/torch_dump.h"

#include <atomic>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "dump/text_encoding.h"
#include "dump/torch_values.h"
#include "dump/torch_window.h"
#include "dump/zip_unpack.h"

namespace divdet {
namespace {

class TorchDump final : public Dump {
public:
    TorchDump(Manifest manifest, std::shared_ptr<const FileBytes> file, TorchContents contents,
              std::vector<TorchBytes> bytes, bool swapped)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_contents(std::move(contents))
        , m_bytes(std::move(bytes))
        , m_swapped(swapped)
        , m_states(m_bytes.size()) {}

private:
    struct State {
        std::atomic<bool> verified = false;
        std::mutex mutex;                                     ///< of `unpacked`
        std::weak_ptr<const std::vector<std::byte>> unpacked; ///< shared by the tensors that live
    };
    struct Window {
        const std::byte* data;
        std::shared_ptr<const void> owner;
    };

    Result<Tensor> loadStored(std::size_t index, const std::string&) const override {
        const TorchWindow& w = *m_contents.taps[index].window;
        auto stored = loadRaw(index);
        if (!stored) return stored;
        if (w.quantiser) return dequantised(index, *stored, *w.quantiser);
        if (w.type.small) stored = widen(*stored, *w.type.small);
        if (w.conjugated || w.negated) return withSigns(*stored, w.conjugated, w.negated);
        return stored;
    }

    Result<Tensor> loadRaw(std::size_t index) const override {
        return named(index, window(*m_contents.taps[index].window));
    }

    Result<Tensor> dequantised(std::size_t index, const Tensor& stored, const TorchQuantiser& q) const {
        if (!q.perChannel) return dequantise(stored, q.scale, q.zeroPoint);
        auto scales = named(index, window(m_contents.parts[q.scales]));
        if (!scales) return scales;
        auto zeroPoints = named(index, window(m_contents.parts[q.zeroPoints]));
        if (!zeroPoints) return zeroPoints;
        return dequantise(stored, *scales, *zeroPoints, q.axis);
    }

    Result<Tensor> named(std::size_t index, Result<Tensor> tensor) const {
        if (tensor) return tensor;
        Error e = tensor.error();
        e.path = m_file->pathText() + ": " + taps()[index].name;
        return e;
    }

    Result<Tensor> window(const TorchWindow& w) const {
        auto bytes = storage(w.storage);
        if (!bytes) return bytes.error();
        return Tensor(windowView(w, bytes->data, m_swapped), std::move(bytes->owner));
    }

    Result<Window> storage(std::size_t index) const {
        const TorchBytes& b = m_bytes[index];
        State& state = m_states[index];
        if (!b.member || b.member->stored()) {
            // torch can be told to write no checksums; they are 0 then
            if (b.member && b.member->crc != 0 && !state.verified) {
                if (auto ok = verifyStored(*m_file, *b.member); !ok) return ok.error();
                state.verified = true;
            }
            return Window{m_file->bytes().data() + b.at, m_file};
        }
        {
            const std::lock_guard lock(state.mutex);
            if (auto kept = state.unpacked.lock()) return Window{kept->data(), kept};
        }
        auto bytes = unpackAll(*m_file, *b.member);
        if (!bytes) return bytes.error();
        auto owner = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
        const std::lock_guard lock(state.mutex);
        state.unpacked = owner;
        const std::byte* data = owner->data();
        return Window{data, std::move(owner)};
    }

    std::shared_ptr<const FileBytes> m_file;
    TorchContents m_contents;
    std::vector<TorchBytes> m_bytes;
    bool m_swapped;
    mutable std::vector<State> m_states; ///< one per storage; caches, no data
};

std::optional<Error> problem(const TorchContents& contents, const std::vector<TorchBytes>& bytes,
                             const TorchWindow& w) {
    const TorchStorage& storage = contents.storages[w.storage];
    const TorchBytes& place = bytes[w.storage];
    if (place.error) return place.error;
    // both are known to fit: the container has compared them with the real size
    return checkWindow(w, storage.elements * storage.type.item);
}

std::optional<Error> problemOfTap(const TorchContents& contents, const std::vector<TorchBytes>& bytes,
                                  const TorchTap& tap) {
    if (tap.error) return tap.error;
    if (auto e = problem(contents, bytes, *tap.window)) return e;
    if (tap.window->quantiser && tap.window->quantiser->perChannel)
        for (const std::size_t part : {tap.window->quantiser->scales, tap.window->quantiser->zeroPoints})
            if (auto e = problem(contents, bytes, contents.parts[part])) return e;
    return std::nullopt;
}

std::string windowKey(const TorchWindow& w) {
    return fmt::format("{} {} {} {} {} {}{}", w.storage, w.offset, w.type.name, toString(w.shape),
                       toString(w.strides), w.conjugated, w.negated);
}

void addQuantised(Manifest& manifest, TapEntry& tap, const TorchWindow& w) {
    tap.storedAs = tap.dtype;
    tap.dtype = DType::f32;
    manifest.cautions.push_back(
        {"dequantised",
         w.quantiser->perChannel
             ? fmt::format("{} holds {} with a scale per index of axis {}; it is read as f32",
                           inQuotes(tap.name), w.type.name, w.quantiser->axis)
             : fmt::format("{} holds {} with scale {} and zero point {}; it is read as f32",
                           inQuotes(tap.name), w.type.name, w.quantiser->scale, w.quantiser->zeroPoint),
         tap.name});
}

void addSmall(Manifest& manifest, TapEntry& tap, const TorchWindow& w) {
    tap.storedAs = tap.dtype;
    tap.dtype = DType::f32;
    manifest.cautions.push_back(
        {"widened", fmt::format("{} holds {}; it is read as f32, exactly", inQuotes(tap.name), w.type.name),
         tap.name});
}

} // namespace

std::string loneTensorName(const FileBytes& file) {
    return file.path().stem().string();
}

std::shared_ptr<const Dump> makeTorchDump(std::shared_ptr<const FileBytes> file, TorchContents contents,
                                          std::vector<TorchBytes> bytes, const std::string& where,
                                          bool swapped) {
    Manifest manifest{"torch", file->path(), {}, contents.values, contents.cautions, shardOf(file->path())};
    std::map<std::string, std::size_t> seen;
    for (const TorchTap& t : contents.taps) {
        TapEntry tap;
        tap.name = t.name;
        if (t.window) {
            tap.dtype = *t.window->type.dtype;
            tap.shape = t.window->shape;
        }
        tap.error = problemOfTap(contents, bytes, t);
        if (tap.error) {
            // offsets count in the pickle, except those of a storage, which name their place themselves
            if (tap.error->path.empty()) tap.error->path = where + ": " + t.name;
        } else {
            if (const auto [at, fresh] = seen.try_emplace(windowKey(*t.window), manifest.taps.size()); !fresh)
                tap.sameAs = at->second;
            if (t.window->quantiser) addQuantised(manifest, tap, *t.window);
            if (t.window->type.small) addSmall(manifest, tap, *t.window);
        }
        manifest.taps.push_back(std::move(tap));
    }
    return std::make_shared<TorchDump>(std::move(manifest), std::move(file), std::move(contents),
                                       std::move(bytes), swapped);
}

} // namespace divdet
