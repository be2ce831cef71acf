#include <fstream>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/write_text.h"
#include "cuda/loader/cuda_backend.h"
#include "dump/text_encoding.h"
#include "host/twin_backend.h"
#include "run/registry.h"

namespace divdet::cli {

void addCommon(CLI::App& verb, Common& common) {
    verb.add_option("--json", common.json, "Write the result as JSON to FILE; - is standard output")
        ->type_name("FILE|-");
    verb.add_option("--threads", common.threads,
                    "Worker threads (default: all); the result does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    verb.add_flag("--no-colour,--no-color", common.noColour,
                  "No colour on a terminal (NO_COLOR is honoured too)");
}

int fail(const Error& error) {
    std::cerr << "divdet: " << printable(error.text(), 4000) << '\n';
    return 2;
}

bool writeJson(const Common& common, const Json& document) {
    if (common.json.empty()) return true;
    return writeText(common.json, text(document) + '\n');
}

int workerThreads(const Common& common) {
    if (common.threads > 0) return common.threads;
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::shared_ptr<Session> makeSession() {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    backends->add(std::make_shared<cuda::CudaBackend>());
    return std::make_shared<Session>(std::move(backends));
}

} // namespace divdet::cli
