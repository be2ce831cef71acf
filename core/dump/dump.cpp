#include "dump/dump.h"

#include <charconv>

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {

std::optional<std::size_t> Dump::find(std::string_view name) const {
    for (std::size_t i = 0; i < taps().size(); ++i)
        if (taps()[i].name == name) return i;
    return std::nullopt;
}

Result<Tensor> Dump::load(std::size_t index, const LoadOptions& options) const {
    if (index >= taps().size())
        return Error{ErrorCode::usage, fmt::format("there is no tap number {}", index), path().string(), ""};
    const TapEntry& tap = taps()[index];
    if (tap.error) return *tap.error;
    const bool wantsBytes = options.opaqueAs == DType::opaque;
    if (!tap.fields.empty() && options.field.empty() && !wantsBytes)
        return Error{ErrorCode::usage,
                     fmt::format("{} holds records with several numbers", inQuotes(tap.name)),
                     path().string(), "name one of its fields: " + someOf(tap.fields)};
    if (tap.storedAs && options.opaqueAs == tap.storedAs) return loadRaw(index);
    auto stored = loadWatched(index, options.field);
    if (!stored) return stored;
    return interpret(std::move(*stored), tap, options);
}

Result<Tensor> Dump::loadRaw(std::size_t index) const {
    return Error{ErrorCode::internal, inQuotes(taps()[index].name) + " has no other form", path().string(),
                 ""};
}

std::optional<Error> Dump::damage(std::size_t) const {
    return m_file && m_file->shrunk() ? std::optional(m_file->shrunkError()) : std::nullopt;
}

Result<Tensor> Dump::loadWatched(std::size_t index, const std::string& field) const {
    if (auto gone = damage(index)) return *gone;
    auto stored = loadStored(index, field);
    if (auto gone = damage(index)) return *gone;
    return stored;
}

Result<Tensor> Dump::interpret(Tensor stored, const TapEntry& tap, const LoadOptions& options) const {
    TensorView view = stored.view();
    const bool opaque = view.dtype == DType::opaque;
    const bool bits = view.dtype == DType::u8 || view.dtype == DType::u16 || view.dtype == DType::u32 ||
                      view.dtype == DType::u64;
    if (!opaque && !(bits && options.opaqueAs)) return stored;
    if (!options.opaqueAs)
        return Error{ErrorCode::usage,
                     fmt::format("{} holds {}-byte elements of unknown type (void)", inQuotes(tap.name),
                                 tap.opaqueItem),
                     path().string(),
                     "name the type, e.g. bf16 or f8_e4m3 (--candidate-dtype, --reference-dtype)"};
    const std::size_t item = opaque ? tap.opaqueItem : itemSize(view.dtype);
    if (*options.opaqueAs == DType::opaque) {
        if (!opaque) return stored;
        view.dtype = DType::u8;
        view.shape.push_back(static_cast<std::int64_t>(item));
        view.strides.push_back(1);
    } else if (itemSize(*options.opaqueAs) != item) {
        if (!opaque) return stored;
        return Error{ErrorCode::usage,
                     fmt::format("{} holds {}-byte elements, {} has {}", inQuotes(tap.name), item,
                                 name(*options.opaqueAs), itemSize(*options.opaqueAs)),
                     path().string(), "name a type of that size"};
    } else {
        view.dtype = *options.opaqueAs;
    }
    auto owner = std::make_shared<const Tensor>(std::move(stored)); // keeps the bytes
    return Tensor(std::move(view), std::move(owner));
}

std::optional<Shard> shardOf(const std::filesystem::path& path) {
    const std::string stem = path.stem().string();
    const auto of = stem.rfind("-of-");
    if (of == std::string::npos) return std::nullopt;
    const auto dash = of == 0 ? std::string::npos : stem.rfind('-', of - 1);
    const std::size_t first = dash == std::string::npos ? 0 : dash + 1;
    const auto number = [&stem](std::size_t from, std::size_t to) -> std::optional<int> {
        int value = 0;
        if (to - from < 3)
            return std::nullopt; // shard numbers are padded; "2-of-3" in a name may mean anything
        const auto r = std::from_chars(stem.data() + from, stem.data() + to, value);
        if (r.ec != std::errc() || r.ptr != stem.data() + to) return std::nullopt;
        return value;
    };
    const auto index = number(first, of), count = number(of + 4, stem.size());
    if (!index || !count || *index < 0 || *count < 2) return std::nullopt;
    return Shard{*index, *count};
}

} // namespace divdet
