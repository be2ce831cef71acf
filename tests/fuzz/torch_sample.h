#pragma once
#include <string>

namespace divdet::fuzz {

using namespace std::string_literals;

/// Opcodes of `_rebuild_tensor_v2(('storage', torch.<kind>Storage, key, 'cpu', 8), offset, (2, 2), (2, 1),
/// …)`.
inline std::string torchTensor(const std::string& kind, const std::string& key, int offset = 0) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\n"s + kind + "Storage\nX\1\0\0\0"s +
           key + "X\3\0\0\0cpuK\x08tQK"s + static_cast<char>(offset) +
           "K\2K\2\x86K\2K\1\x86\x89"
           "ccollections\nOrderedDict\n)RtR"s;
}

/// What stands between PROTO and STOP of a saved dict: two tensors on one storage, a nested list, a number.
inline std::string torchDict() {
    return "}(X\1\0\0\0a"s + torchTensor("Float", "0") + "X\1\0\0\0b"s + torchTensor("Float", "0", 4) +
           "X\1\0\0\0c](K\1G?\xf0\0\0\0\0\0\0N\x88"s + torchTensor("BFloat16", "1") + "eX\1\0\0\0dM\xe8\3u"s;
}

} // namespace divdet::fuzz
