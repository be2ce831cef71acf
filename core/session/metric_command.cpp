#include "session/metric_command.h"

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

#include "judge/metric/samples.h"

extern char** environ;

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookEveryMs = 50; ///< how soon a cancel or a timeout is seen
constexpr auto kGrace = std::chrono::seconds(1);
const char* const kOption = "--metric-cmd";

Error systemError(const char* what, int code) {
    return {ErrorCode::io, fmt::format("{}: {}", what, std::strerror(code)), kOption,
            "check that /bin/sh can be run"};
}

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

/// The shell with its process group; whatever way this is left, nothing of the group runs on.
class Shell {
public:
    Shell() = default;
    Shell(const Shell&) = delete;
    Shell& operator=(const Shell&) = delete;
    ~Shell() {
        if (m_pid > 0) end();
        if (m_out >= 0) close(m_out);
    }

    Status start(const MetricCommand& command) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return systemError("no pipe can be made", errno);
        m_out = ends[0];
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
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
            posix_spawn(&m_pid, "/bin/sh", &files, &attributes, arguments, environment.pointers());
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
        close(ends[1]);
        if (failed == 0) return Done{};
        m_pid = 0;
        return systemError("the shell cannot be started", failed);
    }

    /// Waits a moment for output. Empty: none came; nullopt: there will be none any more.
    std::optional<std::string_view> read() {
        pollfd wait{m_out, POLLIN, 0};
        if (poll(&wait, 1, kLookEveryMs) <= 0) return std::string_view();
        const ssize_t n = ::read(m_out, m_buffer.data(), m_buffer.size());
        if (n > 0) return std::string_view(m_buffer.data(), static_cast<std::size_t>(n));
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return std::string_view();
        return std::nullopt;
    }

    /// The shell's status once it has ended.
    std::optional<int> ended() {
        int status = 0;
        if (m_status || waitpid(m_pid, &status, WNOHANG) != m_pid) return m_status;
        m_status = status;
        return m_status;
    }

    /// Ends what is left of the group.
    void end() {
        kill(-m_pid, SIGTERM);
        const auto until = Clock::now() + kGrace;
        while (Clock::now() < until && (!ended() || kill(-m_pid, 0) == 0))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        kill(-m_pid, SIGKILL);
        while (!ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        m_pid = 0;
    }

private:
    pid_t m_pid = 0;
    int m_out = -1;
    std::optional<int> m_status;
    std::array<char, 65536> m_buffer{};
};

Status statusOf(int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Done{};
    const std::string what = WIFSIGNALED(status)
                                 ? fmt::format("the command was ended by signal {}", WTERMSIG(status))
                                 : fmt::format("the command ended with {}", WEXITSTATUS(status));
    return Error{ErrorCode::assertion, what, kOption, "it must end with 0 when its numbers are good"};
}

} // namespace

Result<CommandScore> runMetricCommand(const MetricCommand& command, const Progress& progress) {
    Shell shell;
    if (auto s = shell.start(command); !s) return s.error();
    const auto start = Clock::now();
    MetricSamples samples;
    // A process that the command left behind may hold its output open for ever: the shell's end is the end.
    for (bool open = true; open || !shell.ended();) {
        const bool over = shell.ended().has_value();
        const auto bytes = open ? shell.read() : std::nullopt;
        if (bytes && !bytes->empty())
            if (auto s = samples.take(*bytes); !s) return s.error();
        if (bytes && bytes->empty() && over) break;
        if (!bytes && open)
            open = false;
        else if (!open)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        progress(static_cast<std::uint64_t>(samples.count()), 0, "metric command");
        if (progress.cancelled())
            return Error{ErrorCode::cancelled, "the metric command was cancelled", kOption, ""};
        if (command.timeout && Clock::now() - start > *command.timeout)
            return Error{ErrorCode::assertion,
                         fmt::format("the command took longer than {} s",
                                     std::chrono::duration<double>(*command.timeout).count()),
                         kOption, "raise --metric-timeout, or evaluate fewer samples"};
    }
    if (auto s = statusOf(*shell.ended()); !s) return s.error();
    if (auto s = samples.finish(); !s) return s.error();
    return CommandScore{command.command, samples.count(), samples.mean()};
}

} // namespace divdet
