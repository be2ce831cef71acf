#include "dump/foreign_format.h"

#include <string>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

struct Magic {
    std::string_view bytes;
    ForeignFormat format;
};

constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kSave = "save the tensors with safetensors.torch.save_file or numpy.savez";
using namespace std::string_view_literals;

constexpr Magic kMagics[] = {
    {"\x1f\x8b"sv, {"a gzip file", kUnpack}},
    {"BZh"sv, {"a bzip2 file", kUnpack}},
    {"\xfd"
     "7zXZ\0"sv,
     {"an xz file", kUnpack}},
    {"\x28\xb5\x2f\xfd"sv, {"a Zstandard file", kUnpack}},
    {"7z\xbc\xaf\x27\x1c"sv, {"a 7-Zip archive", kUnpack}},
    {"\x89HDF\r\n\x1a\n"sv, {"an HDF5 file", "save the arrays with numpy.savez"}},
    {"GGUF"sv, {"a GGUF model", kSave}},
    {"version https://git-lfs"sv, {"a Git LFS pointer, not the data", "fetch the file with git lfs pull"}},
    {"\xef\xbb\xbf"sv, {"a text file with a byte-order mark", ""}},
    {"<!DOCTYPE"sv, {"a web page", "download the file itself"}},
    {"<html"sv, {"a web page", "download the file itself"}},
    {"\x7f"
     "ELF"sv,
     {"a program", ""}},
    {"\x89PNG"sv, {"a picture", ""}},
    {"\x89"
     "DIVDET\n"sv,
     {"a saved comparison (.divdet), not a dump", "open it alone: divdet compare FILE.divdet"}},
};

} // namespace

ForeignFormat foreignFormat(const FileBytes& file) {
    const auto bytes = file.bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Magic& m : kMagics)
        if (text.starts_with(m.bytes)) return m.format;
    if (text.size() > 1 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5)
        return {"a Python pickle but no file of torch.save; unpickling it could run code", kSave};
    if (text.size() > 262 && text.substr(257, 5) == "ustar") return {"a tar archive", kUnpack};
    const std::string_view start = text.substr(0, 4096);
    const auto first = start.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (start[first] == '{' || start[first] == '[')) {
        return {"a JSON file", "save the numbers with numpy.save; a repro.json is for divdet repro"};
    }
    if (start.find('\0') == std::string_view::npos &&
        isUtf8(start.substr(0, start.size() < 4096 ? start.size() : start.find_last_of("\n ") + 1)))
        return {"a text file", "save the numbers with numpy.save"};
    return {};
}

} // namespace divdet
