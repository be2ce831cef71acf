#pragma once
#include <cstdint>
#include <string_view>

namespace divdet {

/// The opcodes of Python's pickle that `readPickle` understands (protocols 2 to 5). All of them only build
/// data; REDUCE, NEWOBJ and BUILD are recorded, never carried out.
enum class PickleOp : std::uint8_t {
    mark = '(',
    stop = '.',
    none = 'N',
    newTrue = 0x88,
    newFalse = 0x89,
    binInt = 'J',
    binInt1 = 'K',
    binInt2 = 'M',
    long1 = 0x8a,
    long4 = 0x8b,
    binFloat = 'G',
    binUnicode = 'X',
    shortBinUnicode = 0x8c,
    binUnicode8 = 0x8d,
    binString = 'T',
    shortBinString = 'U',
    binBytes = 'B',
    shortBinBytes = 'C',
    binBytes8 = 0x8e,
    byteArray8 = 0x96,
    emptyTuple = ')',
    tuple = 't',
    tuple1 = 0x85,
    tuple2 = 0x86,
    tuple3 = 0x87,
    emptyList = ']',
    append = 'a',
    appends = 'e',
    emptyDict = '}',
    setItem = 's',
    setItems = 'u',
    emptySet = 0x8f,
    addItems = 0x90,
    binPut = 'q',
    longBinPut = 'r',
    memoize = 0x94,
    binGet = 'h',
    longBinGet = 'j',
    global = 'c',
    stackGlobal = 0x93,
    reduce = 'R',
    build = 'b',
    newObj = 0x81,
    binPersId = 'Q',
    proto = 0x80,
    frame = 0x95,
};

/// Python's name of any opcode, those included that are not read; empty: no opcode at all.
std::string_view pickleOpcodeName(std::uint8_t code);

} // namespace divdet
