#pragma once
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/write.h"
#include "paths.h"

namespace divdet {

struct Output {
    int code = -1;
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out); }
};

class CliFixture : public ::testing::Test {
protected:
    void SetUp() override {
        m_dir = std::filesystem::temp_directory_path() /
                ("divdet_cli_" + std::to_string(::getpid()) + "_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(m_dir);
    }
    void TearDown() override { std::filesystem::remove_all(m_dir); }

    Output divdet(const std::string& args) {
        const std::filesystem::path err = m_dir / "stderr.txt";
        const std::string command = test::cliProgram() + " " + args + " 2>" + err.string();
        Output o;
        FILE* pipe = popen(command.c_str(), "r");
        std::array<char, 4096> buffer;
        for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            o.out.append(buffer.data(), n);
        o.code = WEXITSTATUS(pclose(pipe));
        std::ifstream in(err);
        o.err.assign(std::istreambuf_iterator<char>(in), {});
        return o;
    }

    std::string npy(const std::string& name, const Tensor& t) {
        const std::filesystem::path p = m_dir / name;
        EXPECT_TRUE(writeNpy(p, t).ok());
        return p.string();
    }

    std::filesystem::path m_dir;
};

} // namespace divdet
