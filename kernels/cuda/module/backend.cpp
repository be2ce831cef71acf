#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "cuda/module/failure.h"
#include "cuda/module/session.h"

#ifndef DIVDET_VERSION
#define DIVDET_VERSION "test"
#endif

/// The table of backend_abi.h. Everything that is thrown inside ends here as a status and a text.
namespace {

using namespace divdet::cuda;

/// At least `needed` bytes.
template <class T>
bool tooSmall(const T* s, std::size_t needed) {
    return !s || s->struct_size < needed;
}

divdet_status report(divdet_error* error, divdet_status status, const std::string& text) {
    if (error && error->text && error->capacity > 0) {
        const std::size_t n = std::min<std::size_t>(text.size(), error->capacity - 1);
        std::memcpy(error->text, text.data(), n);
        error->text[n] = '\0';
    }
    return status;
}

template <class F>
divdet_status guarded(divdet_error* error, const F& body) {
    try {
        body();
        return DIVDET_OK;
    } catch (const Failure& f) {
        return report(error, f.status, f.text);
    } catch (const std::bad_alloc&) {
        return report(error, DIVDET_OUT_OF_MEMORY, "out of host memory");
    } catch (const std::exception& e) {
        return report(error, DIVDET_DEVICE_ERROR, e.what());
    }
}

void copyText(char* to, std::size_t capacity, const std::string& text) {
    std::snprintf(to, capacity, "%s", text.c_str());
}

std::string versionText(int v) {
    return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10);
}

divdet_status deviceCount(std::uint32_t* count, divdet_error* error) {
    return guarded(error, [&] {
        if (!count) invalid("no place for the count");
        *count = 0;
        int devices = 0, driver = 0;
        if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
            throw Failure{DIVDET_DEVICE_ERROR, "there is no NVIDIA driver on this machine"};
        const cudaError_t found = cudaGetDeviceCount(&devices);
        if (found == cudaErrorNoDevice) {
            cudaGetLastError();
            return;
        }
        check(found, "looking for NVIDIA GPUs");
        *count = static_cast<std::uint32_t>(devices);
    });
}

divdet_device_info describe(int device) {
    cudaDeviceProp p;
    int driver = 0, runtime = 0;
    check(cudaGetDeviceProperties(&p, device), "asking the device");
    check(cudaDriverGetVersion(&driver), "asking the driver");
    check(cudaRuntimeGetVersion(&runtime), "asking the runtime");
    divdet_device_info info{};
    info.compute_capability = static_cast<std::uint32_t>(p.major * 10 + p.minor);
    info.multiprocessors = static_cast<std::uint32_t>(p.multiProcessorCount);
    info.memory_bytes = p.totalGlobalMem;
    copyText(info.name, sizeof info.name, p.name);
    copyText(info.driver_version, sizeof info.driver_version, versionText(driver));
    copyText(info.runtime_version, sizeof info.runtime_version, versionText(runtime));
    copyText(info.blas_version, sizeof info.blas_version, LibraryGemm::version());
    std::string note;
    copyText(info.blas_lt_version, sizeof info.blas_lt_version, LibraryGemm::ltVersion(note));
    copyText(info.blas_lt_note, sizeof info.blas_lt_note, note);
    return info;
}

divdet_status deviceInfo(std::uint32_t device, divdet_device_info* info, divdet_error* error) {
    return guarded(error, [&] {
        if (tooSmall(info, offsetof(divdet_device_info, blas_lt_version)))
            invalid("divdet_device_info is smaller than its first version");
        int count = 0;
        check(cudaGetDeviceCount(&count), "looking for NVIDIA GPUs");
        if (device >= static_cast<std::uint32_t>(count))
            throw Failure{DIVDET_NOT_FOUND, "there is no such device"};
        divdet_device_info all = describe(static_cast<int>(device));
        all.struct_size = info->struct_size;
        std::memcpy(info, &all, std::min<std::size_t>(info->struct_size, sizeof all));
    });
}

divdet_status open(std::uint32_t device, divdet_session** session, divdet_error* error) {
    return guarded(error, [&] {
        if (!session) invalid("no place for the session");
        *session = nullptr;
        *session = new divdet_session(static_cast<int>(device));
    });
}

void close(divdet_session* session) {
    if (!session) return;
    guarded(nullptr, [&] { session->queue.use(); });
    delete session;
}

void checkGraph(const divdet_session* session, const divdet_graph* graph) {
    if (!session || tooSmall(graph, sizeof *graph))
        invalid("a session and a graph of this version are needed");
}

divdet_status opPromise(divdet_session* session, const divdet_graph* graph, std::uint32_t op,
                        const divdet_run_options* options, divdet_promise* promise, divdet_error* error) {
    return guarded(error, [&] {
        checkGraph(session, graph);
        const divdet_promise p = session->promise(*graph, op, options);
        if (promise) *promise = p;
    });
}

divdet_status run(divdet_session* session, const divdet_graph* graph, const divdet_run_options* options,
                  divdet_run** result, std::uint32_t* failedOp, divdet_error* error) {
    std::uint32_t at = graph ? graph->op_count : 0;
    const divdet_status status = guarded(error, [&] {
        if (!result) invalid("no place for the run");
        *result = nullptr;
        checkGraph(session, graph);
        session->runs.push_back(session->run(*graph, options, at));
        *result = session->runs.back().get();
    });
    if (failedOp) *failedOp = at;
    return status;
}

divdet_status replay(divdet_session* session, const divdet_graph* graph, const divdet_run_options* options,
                     const divdet_replay* how, divdet_run** result, std::uint32_t* failedOp,
                     divdet_error* error) {
    std::uint32_t at = graph ? graph->op_count : 0;
    const divdet_status status = guarded(error, [&] {
        if (!result) invalid("no place for the run");
        *result = nullptr;
        checkGraph(session, graph);
        if (tooSmall(how, sizeof *how)) invalid("a divdet_replay of this version is needed");
        session->runs.push_back(session->replay(*graph, options, *how, at));
        *result = session->runs.back().get();
    });
    if (failedOp) *failedOp = at;
    return status;
}

const DeviceValue& tapOf(const divdet_run* run, std::uint32_t tap) {
    if (!run || tap >= run->taps.size()) throw Failure{DIVDET_NOT_FOUND, "the run has no such tap"};
    return *run->taps[tap];
}

divdet_status tapType(const divdet_run* run, std::uint32_t tap, divdet_tensor_type* type,
                      divdet_error* error) {
    return guarded(error, [&] {
        const DeviceValue& value = tapOf(run, tap);
        if (type) *type = value.type;
    });
}

divdet_status tapCopy(const divdet_run* run, std::uint32_t tap, void* host, std::size_t bytes,
                      divdet_error* error) {
    return guarded(error, [&] {
        const DeviceValue& value = tapOf(run, tap);
        if (bytes != byteCount(value.type) || (bytes && !host))
            invalid("the buffer is not of the tap's size");
        if (bytes == 0) return;
        run->queue->use();
        check(cudaMemcpyAsync(host, value.bytes.data(), bytes, cudaMemcpyDeviceToHost, run->queue->stream()),
              "copying a tap to the host");
        run->queue->wait();
    });
}

double opMilliseconds(const divdet_run* run, std::uint32_t op) {
    return run && op < run->milliseconds.size() ? run->milliseconds[op] : -1.0;
}

void release(divdet_run* run) {
    if (run) guarded(nullptr, [&] { run->owner->forget(run); });
}

const divdet_backend_v1 kTable = {sizeof(divdet_backend_v1),
                                  DIVDET_BACKEND_ABI_VERSION,
                                  "cuda",
                                  DIVDET_VERSION,
                                  deviceCount,
                                  deviceInfo,
                                  open,
                                  close,
                                  opPromise,
                                  run,
                                  tapType,
                                  tapCopy,
                                  opMilliseconds,
                                  release,
                                  replay};

} // namespace

extern "C" __attribute__((visibility("default"))) const divdet_backend_v1* divdet_backend_v1_entry(void) {
    return &kTable;
}
