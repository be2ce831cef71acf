#include "paths.h"

namespace divdet::test {

std::filesystem::path sourceFolder() {
    return DIVDET_SOURCE_DIR;
}

std::filesystem::path sharedFolder() {
    return DIVDET_SHARED_DIR;
}

std::string cliProgram() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "divdet").string();
}

} // namespace divdet::test
