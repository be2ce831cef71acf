#pragma once
#include "host/twin_backend.h"
#include "session/repro/repro.h"

namespace divdet::test {

inline Session& twinSession() {
    static const auto backends = [] {
        auto registry = std::make_shared<run::BackendRegistry>();
        registry->add(std::make_shared<host::TwinBackend>());
        return registry;
    }();
    static Session one(backends);
    return one;
}

/// A repro of a wrong accumulator, made small by the minimiser.
inline const Repro& smallRepro() {
    static const Repro one = [] {
        BlockRequest request;
        request.block = "mlp";
        request.dims = {{"tokens", 16}, {"width", 64}};
        request.passes = {*lower::parsePass("wrong-accumulator=bf16")};
        return *reproOf(twinSession(), *minifyBlock(twinSession(), {request, {}, {}}));
    }();
    return one;
}

} // namespace divdet::test
