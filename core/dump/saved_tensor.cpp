#include "dump/saved_tensor.h"

#include "dump/limits.h"
#include "dump/repro_text.h"
#include "dump/text_encoding.h"
#include "dump/torch_archive.h"
#include "dump/torch_globals.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

std::optional<std::vector<std::int64_t>> numbers(const Pickle& pickle, const PickleValue& v) {
    if (v.kind != Kind::tuple || v.items.size() > limits::kTorchDims) return std::nullopt;
    std::vector<std::int64_t> out;
    for (const std::uint32_t i : v.items) {
        const PickleValue& n = pickle.at(i);
        if (n.kind != Kind::integer || n.integer < 0) return std::nullopt;
        out.push_back(n.integer);
    }
    return out;
}

} // namespace

Result<SavedTensor> readSavedTensor(const std::filesystem::path& path) {
    auto file = FileBytes::open(path);
    if (!file) return file.error();
    const auto archive = readTorchArchive(**file);
    if (!archive) return archive.error();
    const auto pickle = readPickle(archive->pickle, 0, kTorchGlobals);
    if (!pickle) return inMember(pickle.error(), **file, archive->pickleName);
    const PickleValue& top = pickle->at(pickle->top);
    const auto bad = [&](ErrorCode code, std::string what) {
        return Error{code, std::move(what), path.string(), "save it again"};
    };
    if (top.kind != Kind::tuple || top.items.size() < 5)
        return bad(ErrorCode::malformed, "no saved tensor: type, storage, offset, shape and strides");
    const auto item = [&](std::size_t i) -> const PickleValue& { return pickle->at(top.items[i]); };
    const auto type = torchScalarType(item(0).text);
    const auto shape = numbers(*pickle, item(3)), strides = numbers(*pickle, item(4));
    if (!type || !isStorageHash(item(1).text) || item(2).kind != Kind::integer || item(2).integer < 0 ||
        !shape || !strides || shape->size() != strides->size())
        return bad(ErrorCode::malformed, "no saved tensor: type, storage, offset, shape and strides");
    if (!type->dtype)
        return bad(ErrorCode::unsupported,
                   "the type " + inQuotes(type->name) + " is not compared by this version");
    SavedTensor out;
    out.hash = std::string(item(1).text);
    out.window.type = *type;
    out.window.offset = static_cast<std::uint64_t>(item(2).integer);
    out.window.shape = *shape;
    out.window.strides = *strides;
    if (top.items.size() > 5)
        for (std::size_t i = 0; i + 1 < item(5).items.size(); i += 2) {
            const PickleValue &key = pickle->at(item(5).items[i]), &value = pickle->at(item(5).items[i + 1]);
            if (value.kind == Kind::boolean && value.integer)
                return bad(ErrorCode::unsupported, "a tensor with the flag " + inQuotes(key.text));
        }
    return out;
}

} // namespace divdet
