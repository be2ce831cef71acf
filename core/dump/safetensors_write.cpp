#include <nlohmann/json.hpp>

#include "dump/atomic_file.h"
#include "dump/npy_write.h"
#include "dump/safetensors_layout.h"
#include "dump/text_encoding.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using Json = nlohmann::ordered_json;

Result<std::string> headerOf(std::span<const NamedTensor> tensors,
                             std::span<const std::pair<std::string, std::string>> metadata) {
    Json order = Json::array(), entries = Json::object(), about = Json::object();
    std::uint64_t at = 0;
    for (const NamedTensor& t : tensors) {
        const std::string_view dtype = safetensorsName(t.tensor.dtype());
        if (dtype.empty())
            return Error{ErrorCode::unsupported,
                         "safetensors has no type " + std::string(name(t.tensor.dtype())), "",
                         "write npz instead"};
        if (!isUtf8(t.name) || t.name == "__metadata__")
            return Error{ErrorCode::usage,
                         inQuotes(t.name) + " cannot be the name of a tensor in safetensors", "",
                         "rename it"};
        const std::uint64_t end =
            at + static_cast<std::uint64_t>(t.tensor.elements()) * itemSize(t.tensor.dtype());
        entries[t.name] = Json{{"dtype", dtype}, {"shape", t.tensor.shape()}, {"data_offsets", {at, end}}};
        order.push_back(t.name);
        at = end;
    }
    for (const auto& [key, value] : metadata) {
        if (!isUtf8(key) || !isUtf8(value)) return Error{ErrorCode::usage, "metadata is not UTF-8", "", ""};
        about[key] = value;
    }
    about["tap_order"] = order.dump();
    Json whole = Json::object();
    whole["__metadata__"] = std::move(about);
    for (auto& [key, value] : entries.items()) whole[key] = std::move(value);
    std::string text = whole.dump();
    text.append((8 - text.size() % 8) % 8, ' '); // the data starts on a multiple of 8
    return text;
}

} // namespace

Status writeSafetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                        std::span<const std::pair<std::string, std::string>> metadata) {
    if (auto ok = checkDistinct(tensors, path); !ok) return ok;
    const auto header = headerOf(tensors, metadata);
    if (!header) {
        Error e = header.error();
        e.path = path.string();
        return e;
    }
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(header->size() >> (8 * i) & 0xff);
    AtomicFile file(path);
    if (auto ok = file.open(); !ok) return ok;
    if (auto ok = file.write(std::string_view(length)); !ok) return ok;
    if (auto ok = file.write(std::string_view(*header)); !ok) return ok;
    for (const NamedTensor& t : tensors) {
        const Tensor compact = compacted(t.tensor);
        if (auto ok = file.write(bytesOf(compact)); !ok) return ok;
    }
    return file.commit();
}

} // namespace divdet
