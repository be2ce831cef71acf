#include "dump/pickle_reader.h"

#include <bit>

#include <fmt/format.h>

#include "dump/pickle_machine.h"
#include "dump/pickle_opcodes.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

Status literal(PickleMachine& m, PickleOp op) {
    switch (op) {
    case PickleOp::none:
        return m.push({});
    case PickleOp::newTrue:
    case PickleOp::newFalse:
        return m.pushInteger(Kind::boolean, op == PickleOp::newTrue);
    case PickleOp::binInt1:
        return m.pushNumber<std::uint8_t>();
    case PickleOp::binInt2:
        return m.pushNumber<std::uint16_t>();
    case PickleOp::binInt:
        return m.pushNumber<std::int32_t>();
    case PickleOp::long1:
        return m.pushLong<std::uint8_t>();
    case PickleOp::long4:
        return m.pushLong<std::uint32_t>();
    case PickleOp::binFloat:
        return m.pushReal();
    case PickleOp::shortBinUnicode:
    case PickleOp::shortBinString: // Python 2 text: bytes without an encoding, in practice ASCII
        return m.pushText<std::uint8_t>(Kind::text);
    case PickleOp::binUnicode:
    case PickleOp::binString:
        return m.pushText<std::uint32_t>(Kind::text);
    case PickleOp::binUnicode8:
        return m.pushText<std::uint64_t>(Kind::text);
    case PickleOp::shortBinBytes:
        return m.pushText<std::uint8_t>(Kind::bytes);
    case PickleOp::binBytes:
        return m.pushText<std::uint32_t>(Kind::bytes);
    default:
        return m.pushText<std::uint64_t>(Kind::bytes);
    }
}

Status step(PickleMachine& m, PickleOp op) {
    switch (op) {
    case PickleOp::proto:
        return m.protocol();
    case PickleOp::frame:
        return m.skip(8); // lengths of frames only help readers of streams
    case PickleOp::mark:
        return m.mark();
    case PickleOp::emptyTuple:
        return m.pushGroup(Kind::tuple, 0);
    case PickleOp::tuple1:
        return m.pushGroup(Kind::tuple, 1);
    case PickleOp::tuple2:
        return m.pushGroup(Kind::tuple, 2);
    case PickleOp::tuple3:
        return m.pushGroup(Kind::tuple, 3);
    case PickleOp::tuple:
        return m.pushMarkedTuple();
    case PickleOp::emptyList:
        return m.pushGroup(Kind::list, 0);
    case PickleOp::emptyDict:
        return m.pushGroup(Kind::dict, 0);
    case PickleOp::emptySet:
        return m.pushGroup(Kind::set, 0);
    case PickleOp::append:
        return m.add(Kind::list, 1);
    case PickleOp::setItem:
        return m.add(Kind::dict, 2);
    case PickleOp::appends:
        return m.addMarked(Kind::list);
    case PickleOp::setItems:
        return m.addMarked(Kind::dict);
    case PickleOp::addItems:
        return m.addMarked(Kind::set);
    case PickleOp::binPut:
        return m.put<std::uint8_t>();
    case PickleOp::longBinPut:
        return m.put<std::uint32_t>();
    case PickleOp::memoize:
        return m.memoize();
    case PickleOp::binGet:
        return m.get<std::uint8_t>();
    case PickleOp::longBinGet:
        return m.get<std::uint32_t>();
    case PickleOp::global:
        return m.global();
    case PickleOp::stackGlobal:
        return m.stackGlobal();
    case PickleOp::reduce:
    case PickleOp::newObj:
        return m.call();
    case PickleOp::build:
        return m.build();
    case PickleOp::binPersId:
        return m.pushGroup(Kind::persistent, 1);
    default:
        return literal(m, op);
    }
}

bool isRead(PickleOp op) {
    switch (op) {
    case PickleOp::mark:
    case PickleOp::stop:
    case PickleOp::none:
    case PickleOp::newTrue:
    case PickleOp::newFalse:
    case PickleOp::binInt:
    case PickleOp::binInt1:
    case PickleOp::binInt2:
    case PickleOp::long1:
    case PickleOp::long4:
    case PickleOp::binFloat:
    case PickleOp::binUnicode:
    case PickleOp::shortBinUnicode:
    case PickleOp::binUnicode8:
    case PickleOp::binString:
    case PickleOp::shortBinString:
    case PickleOp::binBytes:
    case PickleOp::shortBinBytes:
    case PickleOp::binBytes8:
    case PickleOp::byteArray8:
    case PickleOp::emptyTuple:
    case PickleOp::tuple:
    case PickleOp::tuple1:
    case PickleOp::tuple2:
    case PickleOp::tuple3:
    case PickleOp::emptyList:
    case PickleOp::append:
    case PickleOp::appends:
    case PickleOp::emptyDict:
    case PickleOp::setItem:
    case PickleOp::setItems:
    case PickleOp::emptySet:
    case PickleOp::addItems:
    case PickleOp::binPut:
    case PickleOp::longBinPut:
    case PickleOp::memoize:
    case PickleOp::binGet:
    case PickleOp::longBinGet:
    case PickleOp::global:
    case PickleOp::stackGlobal:
    case PickleOp::reduce:
    case PickleOp::build:
    case PickleOp::newObj:
    case PickleOp::binPersId:
    case PickleOp::proto:
    case PickleOp::frame:
        return true;
    }
    return false;
}

} // namespace

Result<Pickle> readPickle(std::span<const std::byte> bytes, std::size_t start, PickleGlobals globals) {
    PickleMachine m(bytes, start, globals);
    while (true) {
        const auto code = m.next();
        if (!code) return m.cut();
        const auto op = static_cast<PickleOp>(*code);
        if (op == PickleOp::stop) return std::move(m).finish();
        if (!isRead(op)) {
            const auto name = pickleOpcodeName(*code);
            if (name.empty())
                return m.bad(fmt::format("the byte 0x{:02x} is no opcode of a pickle", unsigned{*code}));
            return Error{
                ErrorCode::refused,
                fmt::format("the pickle uses the opcode {}, which is not on the list of those that are read",
                            name),
                "", "save the tensors with torch.save of a dict, or with safetensors", m.opcodeAt()};
        }
        if (auto done = step(m, op); !done) return done.error();
    }
}

} // namespace divdet
