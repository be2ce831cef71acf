#pragma once
#include <cstddef>
#include <cstdint>

namespace divdet::limits {

/// What a dump may ask of this program. A file beyond a limit is refused with the limit named.
inline constexpr std::uint64_t kNpyHeaderBytes = 1u << 20;            ///< numpy's own default is 10,000
inline constexpr std::size_t kNpyDims = 64;                           ///< numpy 2
inline constexpr std::size_t kNpyLiteralDepth = 32;                   ///< nesting of the header literal
inline constexpr std::size_t kNpyLiteralNodes = 200'000;              ///< values in the header literal
inline constexpr std::size_t kNpyFields = 10'000;                     ///< numeric fields of a record
inline constexpr std::size_t kNpyFieldNameBytes = 1u << 20;           ///< of one record, outer names repeated
inline constexpr std::uint64_t kNpyItemBytes = 0x7fffffff;            ///< numpy: an item fits a C int
inline constexpr std::uint64_t kSafetensorsHeaderBytes = 100'000'000; ///< the format's own cap
inline constexpr std::size_t kSafetensorsDims = 1024;
inline constexpr std::size_t kZipMembers = 1'000'000;
/// deflate cannot expand by more than 1032; a directory that claims more lies or is a bomb.
inline constexpr std::uint64_t kZipRatio = 1100;
inline constexpr std::uint64_t kZipRatioFree = 1u << 20; ///< members up to here are not judged by ratio
inline constexpr std::uint64_t kZipMemberBytes = std::uint64_t{64} << 30;
inline constexpr std::uint64_t kZipTotalBytes = std::uint64_t{256} << 30; ///< compressed members together
inline constexpr std::size_t kFolderFiles = 20'000;                       ///< each may hold a mapping
inline constexpr int kProtobufDepth = 100;                 ///< messages in one another; protobuf's own
inline constexpr std::size_t kOnnxDims = 64;               ///< numpy 2
inline constexpr std::size_t kOnnxTensors = 1'000'000;     ///< initialisers of a model
inline constexpr std::size_t kOnnxSniffFields = 256;       ///< fields looked at to tell what a file is
inline constexpr std::size_t kOnnxLocationBytes = 4096;    ///< name of an external data file
inline constexpr std::size_t kOnnxDataFiles = 10'000;      ///< of one model; each may hold a mapping
inline constexpr std::size_t kOnnxPrefixBytes = 64u << 20; ///< names of nodes before those of initialisers
inline constexpr std::size_t kJsonDepth = 64;              ///< of result files; theirs is 12
inline constexpr std::size_t kJsonNodes = 1'000'000;       ///< values in a result file
inline constexpr std::uint64_t kPolygraphySniffBytes = 64u << 10; ///< looked at from either end
inline constexpr std::uint64_t kPickleBytes = std::uint64_t{256}
                                              << 20;   ///< of one pickle, tensors not counted
inline constexpr std::size_t kPickleNodes = 8'000'000; ///< values in it
inline constexpr std::size_t kPickleMemo = 4'000'000;  ///< values it remembers
inline constexpr std::size_t kPickleMarks = 100'000;   ///< groups open at once
inline constexpr std::size_t kPickleIntegerBytes = 64;
inline constexpr std::size_t kPickleNameBytes = 1000;   ///< of a module or a global
inline constexpr std::size_t kTorchDepth = 100;         ///< containers in containers
inline constexpr std::size_t kTorchVisits = 16'000'000; ///< shared containers count each time they are met
inline constexpr std::size_t kTorchDims = 64;           ///< torch's own limit
inline constexpr std::size_t kTorchValues = 10'000;     ///< values beside tensors that are listed
inline constexpr std::size_t kTorchValueBytes = 4096;   ///< of the text of one
inline constexpr std::uint64_t kTorchNameBytes = 256u << 20; ///< names of all taps together
inline constexpr std::uint64_t kTorchExpandedBytes = std::uint64_t{4}
                                                     << 30; ///< of a view larger than its storage
inline constexpr std::uint64_t kReproBytes = 16u << 20;     ///< text of a minifier's repro
inline constexpr std::uint64_t kReadWholeBytes = 64u << 10; ///< smaller files are read, not mapped

} // namespace divdet::limits
