#include "fuzz/dump_walk.h"
#include "fuzz/scratch.h"
#include "session/repro/torch_bundle.h"

// What torch's minifier leaves behind: the program of the repro, and the logs of two runs, divided by bytes
// of zero. Nothing of it is ever run.

namespace divdet::fuzz {
namespace {

void torchBundle(Input input) {
    Choices parts(input);
    const std::string script = parts.line('\0'), start = parts.line('\0'), repro(asText(parts.rest()));
    for (const std::string& op : forwardOps(script)) {
        require(!op.empty(), "an op has a name");
        require(op.size() <= script.size(), "and stands in the program");
    }
    const TorchConsole console = parseTorchConsole(start);
    require(console.error.empty() == console.errorClass.empty(), "an error has a class");
    require(console.error.size() <= 400, "a message stays short");
    const auto folder = emptyScratch() / "minifier";
    std::filesystem::create_directories(folder);
    writeText(folder / "repro.py", script);
    writeText(folder / "start.log", start);
    writeText(folder / "repro.txt", repro);
    const auto bundle = readTorchBundle({folder.parent_path(), {}, {}});
    if (!bundle) return checkError(bundle.error(), script.size());
    require(bundle->ops == forwardOps(script), "the ops are those of the program");
    const bool known = bundle->start && bundle->repro && !bundle->start->errorClass.empty();
    require(known == (bundle->answer != BundleAnswer::unknown), "two logs give an answer");
    require(!bundle->why.empty(), "and a reason");
}

std::vector<std::string> seeds() {
    using namespace std::string_literals;
    const std::string script = "import torch\n"
                               "class Repro(torch.nn.Module):\n"
                               "    def forward(self, arg0_1, arg1_1):\n"
                               "        mm = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = None\n"
                               "        relu = mm.relu() + 1\n"
                               "        return (relu, mm[0])\n"
                               "mod = Repro()\n"
                               "def load_args(reader):\n"
                               "    buf0 = reader.storage(None, 64)\n"
                               "    reader.tensor(buf0, (4, 4), is_leaf=True)  # arg0_1\n"
                               "load_args._version = 0\n";
    const std::string start = "$ python3 train.py\n"
                              "E1129 10:00:00.000 1 a.py:1] torch._inductor.exc.InductorError: "
                              "CppCompileError: C++ compile error\nexit status 1\n";
    return {script + '\0' + start + '\0' + "$ python3 repro.py\nAssertionError: bad\nexit status 1\n",
            script + '\0' + start + '\0' + "$ python3 repro.py\nexit status 0\n", script,
            "def forward(self):\n  return a(b(c[1]), ({'x': 2}))\0$ \nError\n"s};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(torch_bundle, divdet::fuzz::torchBundle, divdet::fuzz::seeds)
