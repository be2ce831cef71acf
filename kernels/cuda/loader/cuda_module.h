#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cuda/backend_abi.h"

namespace divdet::cuda {

/// The compute module. Once loaded it stays in memory until the program ends: the CUDA runtime in it has
/// threads and exit handlers that outlive any session.
class CudaModule {
public:
    /// Loads `path`. Errors: unsupported with what the loader says (no such file, a library it needs is
    /// absent), or that the file is no module, or one of another version.
    static Result<std::shared_ptr<const CudaModule>> load(const std::string& path);

    /// A table that is linked in; for tests.
    static std::shared_ptr<const CudaModule> of(const divdet_backend_v1& table);

    const divdet_backend_v1& table() const { return *m_table; }

private:
    explicit CudaModule(const divdet_backend_v1& table)
        : m_table(&table) {}
    const divdet_backend_v1* m_table;
};

/// Where the module may be: DIVDET_CUDA_MODULE alone if it is set, else beside the program and in
/// ../lib/divdet from there.
std::vector<std::string> modulePaths();

/// The first of modulePaths() that exists, loaded. Error: unsupported, in words for `divdet devices`.
Result<std::shared_ptr<const CudaModule>> loadCudaModule();

} // namespace divdet::cuda
