#include "dump/torch_archive.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/limits.h"
#include "dump/text_encoding.h"
#include "dump/zip_unpack.h"

namespace divdet {
namespace {

/// `archive/data.pkl` gives `archive/`; none for names of another shape.
std::optional<std::string> folderOf(const std::string& name, std::string_view inside) {
    if (name == inside) return "";
    if (name.size() <= inside.size() || !name.ends_with(inside)) return std::nullopt;
    std::string folder = name.substr(0, name.size() - inside.size());
    if (!folder.ends_with('/') || folder.find('/') != folder.size() - 1) return std::nullopt;
    return folder;
}

/// The folder that torch.save makes, whatever its name; recognised without data.pkl too.
std::optional<std::string> torchFolder(const std::vector<ZipMember>& members) {
    for (const std::string_view inside : {"data.pkl", ".data/serialization_id", "byteorder", "constants.pkl"})
        for (const ZipMember& m : members)
            if (auto folder = folderOf(m.name, inside)) return folder;
    return std::nullopt;
}

Result<std::vector<std::byte>> contentOf(const FileBytes& file, const ZipMember& m, std::uint64_t limit) {
    if (m.error) return *m.error;
    if (m.size > limit)
        return Error{ErrorCode::refused, fmt::format("{} bytes, the limit is {}", m.size, limit), "",
                     "save the tensors in several files"};
    if (!m.stored()) return unpackAll(file, m);
    if (m.crc != 0) // torch can be told to write none
        if (auto ok = verifyStored(file, m); !ok) return ok.error();
    return unpackStart(file, m, m.size);
}

Result<bool> isBigEndian(const FileBytes& file, const TorchArchive& archive) {
    const ZipMember* m = archive.find(archive.folder + "byteorder");
    if (!m) return false; // files of before torch 2.1: little
    const auto bytes = contentOf(file, *m, 100);
    if (!bytes) return inMember(bytes.error(), file, m->name);
    const std::string order(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (order == "little") return false;
    if (order == "big") return true;
    return Error{ErrorCode::malformed, fmt::format("the byte order {}", inQuotes(order)),
                 file.pathText() + ": " + m->name, "it is 'little' or 'big'"};
}

} // namespace

const ZipMember* TorchArchive::find(const std::string& name) const {
    const auto at =
        std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
    return at == members.end() ? nullptr : &*at;
}

Error inMember(Error e, const FileBytes& file, const std::string& member) {
    e.path = file.pathText() + ": " + member;
    return e;
}

bool isTorchArchive(const FileBytes& file) {
    if (!startsLikeZip(file.bytes())) return false;
    const auto members = readZipDirectory(file);
    return members && torchFolder(*members);
}

Result<TorchArchive> readTorchArchive(const FileBytes& file) {
    auto members = readZipDirectory(file);
    if (!members) return members.error();
    TorchArchive out;
    out.folder = torchFolder(*members).value_or("");
    out.members = std::move(*members);
    if (out.find(out.folder + "constants.pkl"))
        return Error{ErrorCode::refused, "a TorchScript archive (classes named '__torch__…'), which is code",
                     file.pathText(), "save its tensors: torch.save(module.state_dict(), …)"};
    out.pickleName = out.folder + "data.pkl";
    const ZipMember* member = out.find(out.pickleName);
    if (!member)
        return Error{ErrorCode::malformed, "a PyTorch archive without data.pkl, which names its tensors",
                     file.pathText(), "save the file again with torch.save"};
    auto bytes = contentOf(file, *member, limits::kPickleBytes);
    if (!bytes) return inMember(bytes.error(), file, out.pickleName);
    out.pickle = std::move(*bytes);
    const auto big = isBigEndian(file, out);
    if (!big) return big.error();
    out.bigEndian = *big;
    return out;
}

} // namespace divdet
