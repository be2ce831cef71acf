#include "base/shell_command.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

extern char** environ;

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookEveryMs = 50; ///< how soon a cancel or a timeout is seen
constexpr auto kGrace = std::chrono::seconds(1);

/// The environment of this program with some variables set anew.
class Environment {
public:
    explicit Environment(const std::vector<std::pair<std::string, std::string>>& set) {
        for (char** e = environ; *e; ++e) {
            const std::string_view entry = *e;
            bool replaced = false;
            for (const auto& [name, value] : set) replaced |= entry.starts_with(name + "=");
            if (!replaced) m_entries.emplace_back(entry);
        }
        for (const auto& [name, value] : set) m_entries.push_back(name + "=" + value);
        for (auto& e : m_entries) m_pointers.push_back(e.data());
        m_pointers.push_back(nullptr);
    }
    char** pointers() { return m_pointers.data(); }

private:
    std::vector<std::string> m_entries;
    std::vector<char*> m_pointers;
};

/// Keeps the beginning and the end of what may be gigabytes.
class BoundedOutput {
public:
    void take(std::string_view bytes) {
        const std::size_t head = std::min(bytes.size(), kPart - m_head.size());
        m_head.append(bytes.substr(0, head));
        m_tail.append(bytes.substr(head));
        if (m_tail.size() <= 2 * kPart) return;
        m_tail.erase(0, m_tail.size() - kPart);
        m_cut = true;
    }

    std::string text() const { return m_head + (m_cut ? "\n...\n" : "") + m_tail; }

private:
    static constexpr std::size_t kPart = std::size_t{1} << 20;
    std::string m_head, m_tail;
    bool m_cut = false;
};

} // namespace

struct ShellProcess::Impl {
    pid_t pid = 0;
    int out = -1;
    std::optional<int> status;
    std::array<char, 65536> buffer{};

    /// Ends what is left of the group.
    void end(ShellProcess& process) {
        kill(-pid, SIGTERM);
        const auto until = Clock::now() + kGrace;
        while (Clock::now() < until && (!process.ended() || kill(-pid, 0) == 0))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        kill(-pid, SIGKILL);
        while (!process.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
};

ShellProcess::ShellProcess()
    : m_impl(std::make_unique<Impl>()) {}

ShellProcess::~ShellProcess() {
    if (m_impl->pid > 0) m_impl->end(*this);
    if (m_impl->out >= 0) close(m_impl->out);
}

Status ShellProcess::start(const ShellCommand& command) {
    const auto failure = [&](const char* what, int code) {
        return Error{ErrorCode::io, fmt::format("{}: {}", what, std::strerror(code)), command.option,
                     code == E2BIG ? "the command and what it is told are too long for the system"
                                   : "check that /bin/sh can be run"};
    };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return failure("no pipe can be made", errno);
    m_impl->out = ends[0];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    if (command.withErrors) posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawnattr_setpgroup(&attributes, 0);
    // Signals this program handles or blocks are as usual for the command.
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int s : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&usual, s);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string text = command.command;
    std::string sh = "sh", option = "-c";
    char* const arguments[] = {sh.data(), option.data(), text.data(), nullptr};
    Environment environment(command.environment);
    const int failed =
        posix_spawn(&m_impl->pid, "/bin/sh", &files, &attributes, arguments, environment.pointers());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failed == 0) return Done{};
    m_impl->pid = 0;
    return failure("the shell cannot be started", failed);
}

std::optional<std::string_view> ShellProcess::read() {
    pollfd wait{m_impl->out, POLLIN, 0};
    if (poll(&wait, 1, kLookEveryMs) <= 0) return std::string_view();
    const ssize_t n = ::read(m_impl->out, m_impl->buffer.data(), m_impl->buffer.size());
    if (n > 0) return std::string_view(m_impl->buffer.data(), static_cast<std::size_t>(n));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return std::string_view();
    return std::nullopt;
}

std::optional<int> ShellProcess::ended() {
    int status = 0;
    if (m_impl->status || waitpid(m_impl->pid, &status, WNOHANG) != m_impl->pid) return m_impl->status;
    m_impl->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return m_impl->status;
}

Result<CommandRun> runShellCommand(const ShellCommand& command,
                                   std::optional<std::chrono::milliseconds> timeout,
                                   const Progress& progress) {
    const auto start = Clock::now();
    CommandRun run;
    BoundedOutput output;
    ShellProcess process;
    if (auto s = process.start(command); !s) return s.error();
    for (bool open = true; open || !process.ended();) {
        const bool over = process.ended().has_value();
        const auto bytes = open ? process.read() : std::nullopt;
        if (bytes) output.take(*bytes);
        if (bytes && bytes->empty() && over) break;
        if (!bytes && open)
            open = false;
        else if (!open)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (progress.cancelled())
            return Error{ErrorCode::cancelled, "the command was cancelled", command.option, ""};
        run.timedOut = timeout && Clock::now() - start > *timeout;
        if (run.timedOut) break;
    }
    run.code = run.timedOut ? 0 : *process.ended();
    run.output = output.text();
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return run;
}

} // namespace divdet
