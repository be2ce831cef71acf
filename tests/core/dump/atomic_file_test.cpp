#include "dump/atomic_file.h"

#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {
namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Status save(const fs::path& path, std::string_view text) {
    AtomicFile file(path);
    if (auto ok = file.open(); !ok) return ok;
    if (auto ok = file.write(text); !ok) return ok;
    return file.commit();
}

/// No file may grow beyond `bytes` while it lives: what a full disk looks like.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_signal = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit now{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_signal)(int);
};

TEST(AtomicFile, AFullDiskKeepsWhatWasThere) {
    const ScratchFolder f;
    const std::vector<float> many(30'000, 1.f);
    const std::vector<NamedTensor> tensors = {{"x", tensorOf<float>(DType::f32, {30'000}, many)}};
    for (const char* name : {"t.npy", "t.npz", "t.safetensors", "t.txt"}) {
        ASSERT_TRUE(save(f / name, "before").ok());
        const FullDisk full(50'000);
        const Status written = name == std::string_view("t.npy")   ? writeNpy(f / name, tensors[0].tensor)
                               : name == std::string_view("t.npz") ? writeNpz(f / name, tensors)
                               : name == std::string_view("t.txt") ? save(f / name, std::string(60'000, 'x'))
                                                                   : writeSafetensors(f / name, tensors);
        ASSERT_FALSE(written.ok()) << name;
        EXPECT_EQ(written.error().code, ErrorCode::io) << name;
        EXPECT_EQ(contents(f / name), "before") << name;
    }
    EXPECT_EQ(files(f.path()), 4u) << "a temporary file is left";
}

TEST(AtomicFile, DevicesAreWrittenToAndNeverReplaced) {
    EXPECT_TRUE(save("/dev/null", "text").ok());
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    if (fs::exists("/dev/full")) {
        EXPECT_EQ(save("/dev/full", "text").error().code, ErrorCode::io);
        EXPECT_TRUE(fs::is_character_file("/dev/full"));
    }
    const std::vector<NamedTensor> none;
    EXPECT_EQ(writeNpz("/dev/null", none).error().code, ErrorCode::usage);
}

TEST(AtomicFile, APipeGetsTheText) {
    const ScratchFolder f;
    ASSERT_EQ(::mkfifo((f / "pipe").c_str(), 0600), 0);
    const int reader = ::open((f / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_TRUE(save(f / "pipe", "text").ok());
    char got[8] = {};
    EXPECT_EQ(::read(reader, got, sizeof got), 4);
    EXPECT_EQ(std::string(got), "text");
    ::close(reader);
    EXPECT_TRUE(fs::is_fifo(f / "pipe"));
}

TEST(AtomicFile, ALinkStaysAndItsTargetIsReplaced) {
    const ScratchFolder f;
    fs::create_directory(f / "elsewhere");
    ASSERT_TRUE(save(f / "elsewhere" / "real", "before").ok());
    fs::create_symlink("elsewhere/real", f / "link");
    ASSERT_TRUE(save(f / "link", "after").ok());
    EXPECT_TRUE(fs::is_symlink(f / "link"));
    EXPECT_EQ(contents(f / "elsewhere" / "real"), "after");
    fs::create_symlink("nowhere", f / "dangling");
    EXPECT_EQ(save(f / "dangling", "x").error().code, ErrorCode::notFound);
    fs::create_symlink("loop", f / "loop");
    EXPECT_FALSE(save(f / "loop", "x").ok());
}

TEST(AtomicFile, FoldersAndLongNames) {
    const ScratchFolder f;
    EXPECT_EQ(save(f.path(), "x").error().code, ErrorCode::usage);
    EXPECT_EQ(save(f / "no" / "such", "x").error().code, ErrorCode::io);
    const std::string longest(255, 'n');
    EXPECT_TRUE(save(f / longest, "x").ok());
    EXPECT_EQ(save(f / (longest + "n"), "x").error().code, ErrorCode::io);
    EXPECT_EQ(files(f.path()), 1u);
}

TEST(AtomicFile, AReadOnlyFolderIsAnErrorAndStaysAsItIs) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const ScratchFolder f;
    ASSERT_TRUE(save(f / "t", "before").ok());
    fs::permissions(f.path(), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(save(f / "t", "after").error().code, ErrorCode::io);
    EXPECT_EQ(contents(f / "t"), "before");
    fs::permissions(f.path(), fs::perms::owner_all);
}

} // namespace
} // namespace divdet::testing
