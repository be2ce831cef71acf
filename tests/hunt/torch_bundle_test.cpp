// Bundles of torch's minifier: what their logs and programs say, and the real ones whose end is another
// failure.
#include <fstream>
#include <iostream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scratch_folder.h"
#include "session/repro/torch_bundle.h"
#include "shared_data.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

std::string scriptWith(const std::string& body) {
    return "class Repro:\n    def forward(self, x):\n" + body +
           "        return (y,)\n\ndef load_args(reader):\n    buf0 = reader.storage(None, 8)\n"
           "    reader.tensor(buf0, (2,))  # x\n";
}

const std::string kOneOp = scriptWith("        y = torch.relu(x);  x = None\n");

TEST(TorchConsole, TheLastExceptionIsFoundBehindLoggersAndWrappers) {
    TorchConsole c =
        parseTorchConsole("$ python a.py\nTraceback (most recent call last):\n  File \"a\", line 1\n"
                          "    raise ValueError('x')\nValueError: few\n\nexit status 1\n");
    EXPECT_EQ(c.command, "python a.py");
    EXPECT_EQ(c.error, "ValueError: few");
    EXPECT_EQ(c.errorClass, "ValueError");
    EXPECT_EQ(c.status, 1);
    c = parseTorchConsole(
        "a.b.OuterError: InnerError: text: more\nUserWarning: not one\nMyErrors: nor this\n");
    EXPECT_EQ(c.errorClass, "InnerError");
    EXPECT_FALSE(c.status.has_value());
    EXPECT_TRUE(c.command.empty());
    c = parseTorchConsole("[2026-11-29 21:39:48,793] a.b: [ERROR] x.AccuracyError: bad\n"
                          "[2026-11-29 21:39:48,793] a.b: [ERROR] \nexit status 0");
    EXPECT_EQ(c.errorClass, "AccuracyError");
    EXPECT_EQ(c.status, 0);
    c = parseTorchConsole("E1129 21:32:26.270000 9081 torch/a.py:39] KeyError: 'x'\n");
    EXPECT_EQ(c.errorClass, "KeyError");
    EXPECT_TRUE(parseTorchConsole("    raise KeyError\nall is well\n").error.empty());
    EXPECT_TRUE(parseTorchConsole("").error.empty());
}

TEST(TorchBundle, OpsAreThoseOfForward) {
    EXPECT_EQ(forwardOps(kOneOp), (std::vector<std::string>{"torch.relu"}));
    EXPECT_EQ(forwardOps(scriptWith("        l_x_ = L_x_\n        y = l_x_ - m;  l_x_ = m = None\n"
                                    "        z = self.w.t()\n")),
              (std::vector<std::string>{"l_x_ - m", "self.w.t"}));
    EXPECT_TRUE(forwardOps(scriptWith("")).empty());
    EXPECT_TRUE(forwardOps("y = torch.relu(x)\n").empty());
}

TEST(TorchBundle, LogsDecideAndNothingIsRun) {
    test::ScratchFolder folder;
    const fs::path all = folder.path(), run = all / "run_1/minifier";
    write(run / "repro.py", kOneOp + "open('" + (all / "was_run").string() + "', 'w')\n");
    const auto read = [&](TorchBundleRequest request) {
        const auto b = readTorchBundle(request);
        EXPECT_TRUE(b.ok()) << b.error().text();
        return b ? *b : TorchBundle{};
    };
    TorchBundle b = read({all, "", ""});
    EXPECT_EQ(b.answer, BundleAnswer::unknown);
    EXPECT_EQ(b.why, "there is no log of the start");
    ASSERT_EQ(b.inputs.size(), 1u);
    EXPECT_TRUE(b.inputs[0].error.has_value()); // no values were saved

    write(all / "1.txt", "$ python train.py\nx.AccuracyError: bad\nexit status 1\n");
    write(all / "2.txt", "$ python minifier_launcher.py minify\nNotImplementedError: no\nexit status 0\n");
    write(all / "notes.txt", "not a log: AttributeError: x\n");
    EXPECT_EQ(read({all, "", ""}).why, "there is no log of its repro.py");
    write(all / "3.txt", "$ python repro.py\nexit status 0\n");
    for (const fs::path& path : {all, all / "run_1", run, run / "repro.py"}) {
        b = read({path, "", ""});
        EXPECT_EQ(b.answer, BundleAnswer::lost) << path;
        EXPECT_EQ(b.notes.size(), 1u) << path; // the search met another exception
    }
    write(all / "same.out", "AccuracyError: worse\nexit status 0\n");
    write(all / "other.out", "KeyError: 'x'\n");
    b = read({all, "", all / "same.out"});
    EXPECT_EQ(b.answer, BundleAnswer::same);
    EXPECT_EQ(b.notes.size(), 2u); // and its status is 0
    EXPECT_EQ(read({all, "", all / "other.out"}).answer, BundleAnswer::other);
    EXPECT_EQ(read({all, all / "other.out", ""}).answer, BundleAnswer::lost);
    EXPECT_EQ(read({all, all / "notes.txt", ""}).answer, BundleAnswer::unknown);
    EXPECT_FALSE(fs::exists(all / "was_run"));

    EXPECT_EQ(readTorchBundle({all, all / "absent.out", ""}).error().code, ErrorCode::notFound);
    EXPECT_EQ(readTorchBundle({all / "run_1/none", "", ""}).error().code, ErrorCode::notFound);
    write(all / "plain.py", "print(1)\n");
    EXPECT_EQ(readTorchBundle({all / "plain.py", "", ""}).error().code, ErrorCode::malformed);
}

TEST(TorchBundle, WithoutLogsNothingIsKnownOfAProgramWithoutOpsEither) {
    test::ScratchFolder folder;
    write(folder.path() / "repro.py", scriptWith(""));
    const auto b = readTorchBundle({folder.path(), "", ""});
    ASSERT_TRUE(b.ok()) << b.error().text();
    EXPECT_EQ(b->answer, BundleAnswer::unknown);
    EXPECT_EQ(b->why, "there is no log of the start");
    EXPECT_EQ(b->notes.size(), 1u); // that no op is left
    write(folder.path() / "1.txt", "$ python train.py\nx.AccuracyError: bad\n");
    EXPECT_EQ(readTorchBundle({folder.path(), "", ""})->answer, BundleAnswer::unknown);
    write(folder.path() / "2.txt", "$ python repro.py\nexit status 0\n");
    EXPECT_EQ(readTorchBundle({folder.path(), "", ""})->answer, BundleAnswer::lost);
}

/// Which ones are wrong stands in the README of the data and in the exit states and errors of truth.json.
TEST(TorchBundle, RealOnesThatLostTheirFailureAreRecognised) {
    DIVDET_NEEDS_SHARED("data/torch/minifier/truth.json");
    const fs::path root = sharedPath("data/torch/minifier");
    const auto truth = nlohmann::json::parse(std::ifstream(root / "truth.json"))["cases"];
    std::vector<std::string> lost;
    for (const auto& [name, about] : truth.items()) {
        SCOPED_TRACE(name);
        const auto b = readTorchBundle({root / name, "", ""});
        ASSERT_TRUE(b.ok()) << b.error().text();
        EXPECT_EQ(fs::weakly_canonical(b->script),
                  fs::weakly_canonical(root / about["repro"].get<std::string>()));
        EXPECT_EQ(nlohmann::json(b->ops), about["repro_ops"]);
        EXPECT_EQ(b->inputs.size(), about["repro_storages"].size());
        for (const TapEntry& tap : b->inputs) EXPECT_FALSE(tap.error.has_value()) << tap.error->text();
        ASSERT_TRUE(b->start && b->search && b->repro);
        EXPECT_EQ(b->start->error, about["last_error"]["run"]);
        EXPECT_EQ(b->repro->error, about["last_error"]["repro"]);
        EXPECT_EQ(b->start->status, about["exit_status"]["run"].get<int>());
        EXPECT_EQ(b->search->status, about["exit_status"]["minify"].get<int>());
        EXPECT_EQ(b->repro->status, about["exit_status"]["repro"].get<int>());
        if (b->answer == BundleAnswer::lost) lost.push_back(name);
        EXPECT_TRUE(b->answer == BundleAnswer::lost || b->answer == BundleAnswer::same);
        std::cout << name << ": " << toString(b->answer) << ", " << b->why << '\n';
    }
    EXPECT_EQ(lost, (std::vector<std::string>{"aot_accuracy_torch2.2.2", "dynamo_runtime_error"}));
}

} // namespace
} // namespace divdet
