#include "session/block_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/run_bytes.h"
#include "dump/open.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

std::vector<std::string> fillable(const block::Graph& graph) {
    std::vector<std::string> names;
    for (const block::Value& v : graph.values)
        if (v.role != block::Role::intermediate) names.push_back(v.name);
    return names;
}

/// A small file may claim any shape: compressed members and files with holes cost their maker nothing.
Status checkSize(const Dump& dump, const std::filesystem::path& file) {
    std::uint64_t asked = 0;
    for (const TapEntry& tap : dump.taps()) {
        const std::uint64_t bytes = block::leastBytes(tap.shape, block::Role::input);
        if (bytes > block::maxRunBytes() - asked)
            return Error{ErrorCode::refused,
                         fmt::format("the inputs would need {} with this one, and at most {} are allowed",
                                     block::bytesText(bytes > block::maxRunBytes() ? bytes : asked + bytes),
                                     block::bytesText(block::maxRunBytes())),
                         file.string() + ": " + tap.name,
                         "give a smaller tensor, or allow more (DIVDET_MAX_GIB)"};
        asked += bytes;
    }
    return Done{};
}

/// Integers go through double, which holds those that fp32 can hold.
Result<Tensor> asFloats(const Tensor& t, const std::string& where) {
    const DType dtype = t.dtype();
    const auto wrong = [&](std::string what, std::string hint) {
        return Error{ErrorCode::mismatch, std::move(what), where, std::move(hint)};
    };
    if (kind(dtype) == DTypeKind::floating && itemSize(dtype) <= sizeof(float))
        return converted(t, DType::f32);
    if (kind(dtype) != DTypeKind::integer)
        return wrong(fmt::format("the dtype is {} where f32 is due", divdet::name(dtype)),
                     "save it as float32");
    std::vector<double> wide(static_cast<std::size_t>(t.elements()));
    loadAsDouble(t.view(), 0, wide);
    std::vector<float> out(wide.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
        out[i] = static_cast<float>(wide[i]);
        if (static_cast<double>(out[i]) != wide[i])
            return wrong(fmt::format("{} at place {} is no fp32 number", wide[i], i), "save it as float32");
    }
    return tensorOf<float>(DType::f32, t.shape(), out);
}

} // namespace

Result<std::vector<std::string>> fillFromFile(block::Graph& graph, const std::filesystem::path& file) {
    const auto dump = openDump(file);
    if (!dump) return dump.error();
    if (auto s = checkSize(**dump, file); !s) return s.error();
    std::vector<std::string> filled;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
        const TapEntry& tap = (*dump)->taps()[i];
        const auto value = graph.find(tap.name);
        const std::string where = file.string() + ": " + tap.name;
        if (!value || graph.values[*value].role == block::Role::intermediate)
            return Error{ErrorCode::mismatch, fmt::format("{} has no input of this name", graph.name), where,
                         fmt::format("its inputs and weights are {}", fmt::join(fillable(graph), ", "))};
        const auto stored = (*dump)->load(i);
        if (!stored) return stored.error();
        auto data = asFloats(*stored, where);
        if (!data) return data.error();
        graph.values[*value].data = compacted(*data);
        graph.values[*value].firstRows = false; // a user's file has the size it has
        filled.push_back(tap.name);
    }
    return filled;
}

} // namespace divdet
