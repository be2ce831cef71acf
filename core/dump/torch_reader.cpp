#include <unordered_map>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/reader.h"
#include "dump/torch_archive.h"
#include "dump/torch_dump.h"
#include "dump/torch_globals.h"

namespace divdet {
namespace {

std::vector<TorchBytes> placesOf(const FileBytes& file, const TorchArchive& archive,
                                 const std::vector<TorchStorage>& storages) {
    std::unordered_map<std::string_view, const ZipMember*> byName;
    for (const ZipMember& m : archive.members) byName[m.name] = &m;
    std::vector<TorchBytes> out;
    for (const TorchStorage& s : storages) {
        TorchBytes& b = out.emplace_back();
        const std::string name = archive.folder + "data/" + s.key;
        const auto fail = [&](std::string what) {
            b.error = Error{ErrorCode::malformed, std::move(what), file.pathText() + ": " + name,
                            "copy or save the file again"};
        };
        const auto at = byName.find(name);
        const auto claimed = mulFits(s.elements, s.type.item);
        if (at == byName.end()) {
            fail("the archive lacks the storage of the tensor");
        } else if (const ZipMember& m = *at->second; m.error) {
            b.error = inMember(*m.error, file, name);
        } else if (!claimed || *claimed > m.size) {
            fail(fmt::format("the storage holds {} bytes, the pickle promises {} elements of {}", m.size,
                             s.elements, s.type.item));
            b.error->offset = m.data;
        } else {
            b.at = m.data;
            b.member = m;
        }
    }
    return out;
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    const auto archive = readTorchArchive(*file);
    if (!archive) return archive.error();
    const auto pickle = readPickle(archive->pickle, 0, kTorchGlobals);
    if (!pickle) return inMember(pickle.error(), *file, archive->pickleName);
    auto contents = readTorchObject(*pickle, loneTensorName(*file));
    if (!contents) return inMember(contents.error(), *file, archive->pickleName);
    auto places = placesOf(*file, *archive, contents->storages);
    const std::string where = file->pathText() + ": " + archive->pickleName;
    return makeTorchDump(std::move(file), std::move(*contents), std::move(places), where, archive->bigEndian);
}

} // namespace

Reader torchReader() {
    return {isTorchArchive, open};
}

} // namespace divdet
