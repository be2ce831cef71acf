#include "dump/inside_folder.h"

#include <algorithm>

namespace divdet {
namespace fs = std::filesystem;

bool staysInside(const fs::path& entry, const fs::path& folder) {
    std::error_code failure;
    const fs::path target = fs::canonical(entry, failure);
    if (failure) return false;
    const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, failure);
    return !failure &&
           std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

} // namespace divdet
