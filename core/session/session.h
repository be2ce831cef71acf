#pragma once
#include <memory>

#include "run/op_cache.h"
#include "run/registry.h"

namespace divdet {

/// The one door both programs go through; each verb is a free function in its own file beside this one.
/// Holds what outlives a request: the backends the program brought, and results of ops already run.
/// Safe to use from several threads.
class Session {
public:
    explicit Session(std::shared_ptr<const run::BackendRegistry> backends);

    const run::BackendRegistry& backends() const { return *m_backends; }
    run::OpCache& cache() { return m_cache; }

private:
    std::shared_ptr<const run::BackendRegistry> m_backends;
    run::OpCache m_cache;
};

} // namespace divdet
