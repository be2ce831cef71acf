#include "cuda/loader/cuda_module.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>

#include <fmt/format.h>

namespace divdet::cuda {
namespace {

constexpr const char* kVariable = "DIVDET_CUDA_MODULE";
constexpr const char* kFileName = "libdivdet_cuda.so";

Error cannot(std::string message, const std::string& path, std::string hint) {
    return {ErrorCode::unsupported, std::move(message), path, std::move(hint)};
}

} // namespace

Result<std::shared_ptr<const CudaModule>> CudaModule::load(const std::string& path) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* const reason = dlerror();
        return cannot(
            fmt::format("the CUDA module cannot be loaded: {}", reason ? reason : "no reason given"), path,
            "build it again on this machine, or go on without it");
    }
    const auto entry =
        reinterpret_cast<divdet_backend_v1_entry_fn>(dlsym(library, DIVDET_BACKEND_ENTRY_NAME));
    const divdet_backend_v1* const table = entry ? entry() : nullptr;
    const bool ours = table && table->struct_size >= DIVDET_BACKEND_FIRST_SIZE &&
                      table->abi_version == DIVDET_BACKEND_ABI_VERSION;
    if (!ours) {
        dlclose(library);
        return cannot("the file is no CUDA module of this version", path,
                      "the module and the program come from one build");
    }
    return std::shared_ptr<const CudaModule>(new CudaModule(*table));
}

std::shared_ptr<const CudaModule> CudaModule::of(const divdet_backend_v1& table) {
    return std::shared_ptr<const CudaModule>(new CudaModule(table));
}

std::vector<std::string> modulePaths() {
    if (const char* const chosen = std::getenv(kVariable)) return {chosen};
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed) return {};
    const auto folder = program.parent_path();
    return {(folder / kFileName).string(),
            (folder / ".." / "lib" / "divdet" / kFileName).lexically_normal().string()};
}

Result<std::shared_ptr<const CudaModule>> loadCudaModule() {
    const auto paths = modulePaths();
    for (const std::string& path : paths) {
        std::error_code failed;
        if (std::filesystem::exists(path, failed)) return CudaModule::load(path);
    }
    return cannot("this build has no CUDA module", paths.empty() ? kFileName : paths.front(),
                  "build with a CUDA Toolkit 13 and DIVDET_CUDA=ON");
}

} // namespace divdet::cuda
