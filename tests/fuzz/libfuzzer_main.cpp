#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "fuzz/target.h"

// libFuzzer's side of the one target linked into this program. `fuzz_x --write-seeds DIR` writes the seeds.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    divdet::fuzz::targets().front().run({reinterpret_cast<const std::byte*>(data), size});
    return 0;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    const auto& targets = divdet::fuzz::targets();
    if (targets.size() != 1) {
        std::fprintf(stderr, "%zu targets in one fuzzer, one is needed\n", targets.size());
        std::exit(2);
    }
    if (*argc != 3 || std::string_view((*argv)[1]) != "--write-seeds") return 0;
    const std::filesystem::path folder = (*argv)[2];
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : targets.front().seeds())
        std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
    std::exit(0);
}
