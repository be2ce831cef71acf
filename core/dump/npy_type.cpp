#include "dump/npy_type.h"

#include <set>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/npy_scalar.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = NpyLiteral::Kind;

Error malformed(std::string what) {
    return Error{ErrorCode::malformed, std::move(what), "", ""};
}

/// Adds the fields of one record type; gives its size.
class RecordReader {
public:
    std::vector<NpyField> fields;

    Result<std::uint64_t> list(const NpyLiteral& descr, const std::string& prefix, std::uint64_t base,
                               std::size_t depth) {
        if (depth > 8) return malformed("records are nested too deeply");
        std::set<std::string> names;
        std::uint64_t size = 0;
        for (const NpyLiteral& entry : descr.items) {
            if (entry.kind != Kind::tuple || entry.items.size() < 2 || entry.items.size() > 3)
                return malformed("a field of the record is not (name, type) or (name, type, shape)");
            const auto fieldName = nameOf(entry.items[0]);
            if (!fieldName) return fieldName.error();
            const bool padding = fieldName->empty() && entry.items[1].kind == Kind::text;
            if (!names.insert(*fieldName).second && !padding)
                return malformed("two fields of the record are named " + inQuotes(*fieldName));
            Shape shape;
            if (entry.items.size() == 3)
                if (auto s = subShape(entry.items[2], shape); !s) return s.error();
            const auto bytes =
                field(entry.items[1], prefix + *fieldName, base + size, std::move(shape), depth);
            if (!bytes) return bytes;
            size += *bytes;
            if (size > limits::kNpyItemBytes) return malformed("the record is larger than numpy allows");
        }
        return size;
    }

    Result<std::uint64_t> commaList(const std::string& text) {
        NpyLiteral descr;
        descr.kind = Kind::list;
        std::size_t at = 0;
        for (int i = 0; at <= text.size(); ++i) {
            const std::size_t comma = std::min(text.find(',', at), text.size());
            NpyLiteral entry{Kind::tuple,
                             0,
                             "",
                             {NpyLiteral{Kind::text, 0, "f" + std::to_string(i), {}},
                              NpyLiteral{Kind::text, 0, text.substr(at, comma - at), {}}}};
            descr.items.push_back(std::move(entry));
            at = comma + 1;
        }
        return list(descr, "", 0, 0);
    }

private:
    /// Plain name, or the second part of (title, name).
    static Result<std::string> nameOf(const NpyLiteral& v) {
        if (v.kind == Kind::text) return v.text;
        if (v.kind == Kind::tuple && v.items.size() == 2 && v.items[1].kind == Kind::text)
            return v.items[1].text;
        return malformed("a field of the record has no name");
    }

    static Status subShape(const NpyLiteral& v, Shape& shape) {
        if (v.kind == Kind::integer) {
            shape.push_back(v.integer);
        } else if (v.kind == Kind::tuple) {
            for (const NpyLiteral& extent : v.items) {
                if (extent.kind != Kind::integer)
                    return malformed("the shape of a field is not made of integers");
                shape.push_back(extent.integer);
            }
        } else {
            return malformed("the shape of a field is not a tuple");
        }
        if (shape.size() > limits::kNpyDims) return malformed("a field has too many dimensions");
        return Done{};
    }

    Result<std::uint64_t> field(const NpyLiteral& type, const std::string& fieldName, std::uint64_t offset,
                                Shape shape, std::size_t depth) {
        std::uint64_t item = 0;
        if (type.kind == Kind::list) {
            const std::size_t before = fields.size();
            auto inner = list(type, fieldName + ".", offset, depth + 1);
            if (!inner) return inner;
            item = *inner;
            if (!shape.empty()) fields.resize(before); // arrays of records inside records are not offered
        } else if (type.kind == Kind::text) {
            const auto scalar = parseNpyScalar(type.text);
            if (!scalar) return scalar.error();
            item = scalar->item;
            if (scalar->kind == NpyScalar::Kind::number && byteCount(shape, item).value_or(0) > 0) {
                m_nameBytes += fieldName.size(); // a long outer name stands before each inner one
                if (fields.size() == limits::kNpyFields || m_nameBytes > limits::kNpyFieldNameBytes)
                    return Error{ErrorCode::refused,
                                 fmt::format("records with more than {} fields or {} bytes of field names",
                                             limits::kNpyFields, limits::kNpyFieldNameBytes),
                                 "", "save the numbers as plain arrays"};
                fields.push_back(
                    {fieldName, scalar->dtype, scalar->swapped, static_cast<std::size_t>(offset), shape});
            }
        } else {
            return malformed("the type of field " + inQuotes(fieldName) + " is not a type");
        }
        const auto bytes = byteCount(shape, item);
        if (!bytes || *bytes > limits::kNpyItemBytes)
            return malformed("the shape of field " + inQuotes(fieldName) + " is not valid");
        return *bytes;
    }

    std::size_t m_nameBytes = 0;
};

Result<NpyType> recordType(Result<std::uint64_t> size, RecordReader&& reader) {
    if (!size) return size.error();
    if (reader.fields.empty())
        return Error{ErrorCode::unsupported, "the array holds records without numbers", "",
                     "save the numbers as a plain array"};
    NpyType out;
    out.dtype = DType::opaque;
    out.item = static_cast<std::size_t>(*size);
    out.record = true;
    out.fields = std::move(reader.fields);
    return out;
}

} // namespace

Result<NpyType> parseNpyType(const NpyLiteral& descr) {
    RecordReader reader;
    if (descr.kind == Kind::list) {
        auto size = reader.list(descr, "", 0, 0);
        return recordType(std::move(size), std::move(reader));
    }
    if (descr.kind != Kind::text) return malformed("the type (descr) is not a type");
    if (descr.text.find(',') != std::string::npos) {
        auto size = reader.commaList(descr.text);
        return recordType(std::move(size), std::move(reader));
    }
    const auto scalar = parseNpyScalar(descr.text);
    if (!scalar) return scalar.error();
    const bool isVoid = scalar->kind == NpyScalar::Kind::voidBytes;
    if (scalar->kind == NpyScalar::Kind::other || (isVoid && scalar->item == 0))
        return Error{ErrorCode::unsupported,
                     "the array holds " + inQuotes(descr.text) +
                         ", which is not a number this program compares",
                     "", "text, dates and long double have to be converted to numbers first"};
    NpyType out;
    out.dtype = isVoid ? DType::opaque : scalar->dtype;
    out.item = scalar->item;
    out.swapped = scalar->swapped && !isVoid;
    return out;
}

} // namespace divdet
