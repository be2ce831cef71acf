#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "dump/file_bytes.h"

namespace divdet {

/// Data files that a model names: opened once each, and only below the model's own folder.
class OnnxExternalFiles {
public:
    explicit OnnxExternalFiles(const FileBytes& model)
        : m_model(model.path()) {}

    /// Errors: refused for a location that is absolute, has a `..`, or leads out of the folder by a link;
    /// notFound, io.
    Result<std::shared_ptr<const FileBytes>> open(const std::string& location);

private:
    std::filesystem::path m_model;
    std::map<std::string, std::shared_ptr<const FileBytes>> m_open; ///< by normal name
};

} // namespace divdet
