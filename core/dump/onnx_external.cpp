#include "dump/onnx_external.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/inside_folder.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;
using File = Result<std::shared_ptr<const FileBytes>>;

Error refused(const std::string& location, const std::string& why) {
    return {ErrorCode::refused, "the data file " + inQuotes(location) + " " + why, "",
            "external data is read only from the folder of the model and below"};
}

File openBelow(const fs::path& model, const std::string& location) {
    const fs::path name(location);
    if (location.empty() || location.size() > limits::kOnnxLocationBytes ||
        location.find('\0') != std::string::npos)
        return refused(location, "has no usable name");
    if (name.is_absolute() || location[0] == '\\' || location.find(':') != std::string::npos)
        return refused(location, "is named by an absolute path");
    if (std::any_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; }))
        return refused(location, "lies outside the folder");
    std::error_code failure;
    if (!fs::is_regular_file(model, failure))
        return refused(location, "belongs to a model that is not a file of its own");
    const fs::path path = model.parent_path() / name;
    if (!fs::exists(path, failure))
        return Error{ErrorCode::notFound, "the data file " + inQuotes(location) + " is not there", "",
                     "put it beside the model"};
    if (!staysInside(path, model.parent_path()))
        return refused(location, "leads out of the folder by a link");
    return FileBytes::open(path);
}

} // namespace

File OnnxExternalFiles::open(const std::string& location) {
    // One mapping per file, however its name is written: `data`, `./data`, `x/../data`.
    const std::string key =
        location.size() > limits::kOnnxLocationBytes ? "" : fs::path(location).lexically_normal().string();
    const auto known = m_open.find(key);
    if (known != m_open.end()) return known->second;
    if (m_open.size() >= limits::kOnnxDataFiles)
        return refused(location, fmt::format("is one of more than {}", limits::kOnnxDataFiles));
    auto file = openBelow(m_model, location);
    if (file) m_open.emplace(key, *file);
    return file;
}

} // namespace divdet
