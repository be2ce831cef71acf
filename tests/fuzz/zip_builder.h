#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace divdet::fuzz {

/// Makes a zip archive member by member, right in every sum and length, so that what is inside is reached.
class ZipBuilder {
public:
    enum class Pack { stored, deflated };

    void add(std::string_view name, std::string_view data, Pack pack = Pack::stored);

    /// Lies for the next member: added to its sizes and checksum in the directory (0: the truth).
    struct Lie {
        std::uint32_t size = 0, compressed = 0, crc = 0, header = 0;
        std::uint16_t flags = 0, method = 0;
    };
    void lieNext(const Lie& lie) { m_lie = lie; }

    std::string finish() const;

private:
    std::string m_members, m_directory;
    std::uint16_t m_count = 0;
    Lie m_lie;
};

} // namespace divdet::fuzz
