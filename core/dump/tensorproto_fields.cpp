#include "dump/tensorproto_fields.h"

#include <cstring>
#include <string_view>

namespace divdet {
namespace {

using Fields = TensorProtoFields;

class Scanner {
public:
    Scanner(const std::byte* file, ByteRange message)
        : m_file(file) {
        m_out.message = message;
    }

    TensorProtoFields run() {
        ProtobufWalker walker(m_file, m_out.message);
        WireField field;
        while (!m_out.fault && walker.next(field)) take(field);
        if (!m_out.fault) adopt(walker);
        return m_out;
    }

private:
    void adopt(const ProtobufWalker& walker) {
        m_out.fault = walker.fault();
        m_out.faultOffset = walker.faultOffset();
        m_out.truncated = walker.truncated();
    }

    void addDim(std::uint64_t value) {
        if (m_out.rank < m_out.dims.size()) m_out.dims[m_out.rank] = static_cast<std::int64_t>(value);
        ++m_out.rank;
    }

    /// Numbers in a packed field; each ends with a byte below 0x80.
    std::uint64_t packedVarints(ByteRange range, bool areDims) {
        ProtobufWalker walker(m_file, range);
        std::uint64_t n = 0, value = 0;
        while (!walker.atEnd() && walker.varint(value)) {
            ++n;
            if (areDims) addDim(value);
        }
        if (walker.fault()) adopt(walker);
        return n;
    }

    std::uint64_t packedFixed(ByteRange range, std::uint64_t item) {
        if (range.size % item != 0) {
            m_out.fault = "a list of numbers ends inside a number";
            m_out.faultOffset = range.end();
        }
        return range.size / item;
    }

    void values(const WireField& f) {
        const bool fixed32 = f.number == Fields::floats, fixed64 = f.number == Fields::doubles;
        const WireType single = fixed32 ? WireType::fixed32 : fixed64 ? WireType::fixed64 : WireType::varint;
        std::uint64_t& count = m_out.counts[f.number];
        if (f.number == Fields::strings)
            count += f.type == WireType::bytes;
        else if (f.type == single)
            ++count;
        else if (f.type == WireType::bytes)
            count += fixed32   ? packedFixed(f.payload, 4)
                     : fixed64 ? packedFixed(f.payload, 8)
                               : packedVarints(f.payload, false);
    }

    /// A key and a value of external_data.
    void external(ByteRange message) {
        ProtobufWalker walker(m_file, message);
        WireField field;
        ByteRange key, value;
        while (walker.next(field)) {
            if (field.is(1, WireType::bytes)) key = field.payload;
            if (field.is(2, WireType::bytes)) value = field.payload;
        }
        if (walker.fault()) return adopt(walker);
        const std::string_view name(reinterpret_cast<const char*>(m_file) + key.offset, key.size);
        if (name == "location") {
            m_out.location = value;
            m_out.hasLocation = true;
        } else if (name == "offset") {
            m_out.offset = value;
            m_out.hasOffset = true;
        } else if (name == "length") {
            m_out.length = value;
            m_out.hasLength = true;
        }
    }

    /// Messages that are not used must be well-formed all the same.
    void checkInner(ByteRange message) {
        ProtobufWalker walker(m_file, message);
        WireField field;
        while (walker.next(field)) {
        }
        if (walker.fault()) adopt(walker);
    }

    void take(const WireField& f) {
        switch (f.number) {
        case 1: // dims
            if (f.type == WireType::varint) addDim(f.value);
            if (f.type == WireType::bytes) packedVarints(f.payload, true);
            break;
        case 2: // data_type
            if (f.type == WireType::varint) m_out.dataType = static_cast<std::int32_t>(f.value);
            break;
        case 3:
            if (f.type != WireType::bytes) break;
            m_out.segment = true;
            checkInner(f.payload);
            break;
        case Fields::floats:
        case Fields::ints:
        case Fields::strings:
        case Fields::longs:
        case Fields::doubles:
        case Fields::unsigneds:
            values(f);
            break;
        case 8:
            if (f.type == WireType::bytes) m_out.name = f.payload;
            break;
        case 9:
            if (f.type != WireType::bytes) break;
            m_out.raw = f.payload;
            m_out.hasRaw = true;
            break;
        case 13:
            if (f.type == WireType::bytes) external(f.payload);
            break;
        case 14: // data_location
            if (f.type == WireType::varint && f.value <= 1) m_out.external = f.value == 1;
            break;
        case 16: // metadata_props
            if (f.type == WireType::bytes) checkInner(f.payload);
            break;
        default:
            break;
        }
    }

    const std::byte* m_file;
    TensorProtoFields m_out;
};

} // namespace

TensorProtoFields scanTensorProto(const std::byte* file, ByteRange message) {
    return Scanner(file, message).run();
}

} // namespace divdet
