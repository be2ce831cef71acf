#include "dump/torch_rebuild.h"

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/pickle_text.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kUtils = "torch._utils.";
constexpr int kDepth = 8; ///< a Parameter around a tensor is 1

bool makesTensor(std::string_view function) {
    return function.starts_with("torch._utils._rebuild_") ||
           function == "torch._tensor._rebuild_from_type_v2";
}

Error unsupported(const PickleValue& at, std::string what, std::string hint) {
    return {ErrorCode::unsupported, std::move(what), "", std::move(hint), at.offset};
}

TorchTap tapOf(Result<TorchWindow> window) {
    if (window) return {"", std::move(*window), std::nullopt};
    return {"", std::nullopt, window.error()};
}

} // namespace

Error TorchRebuild::bad(const PickleValue& at, std::string what) const {
    return {ErrorCode::malformed, std::move(what), "", "save the file again", at.offset};
}

std::optional<TorchTap> TorchRebuild::tensorTap(std::uint32_t call) {
    if (!makesTensor(m_pickle.at(m_pickle.at(call).items[0]).text)) return std::nullopt;
    return tapOf(inner(call, 0));
}

TorchTap TorchRebuild::storageTap(std::uint32_t persistent) {
    auto window = storage(persistent);
    if (window && !window->type.dtype)
        return tapOf(
            unsupported(m_pickle.at(persistent),
                        fmt::format("the type {} is not compared by this version", window->type.name),
                        "convert the tensor to one of the usual types"));
    return tapOf(std::move(window));
}

Result<TorchWindow> TorchRebuild::inner(std::uint32_t call, int depth) {
    const PickleValue& v = m_pickle.at(call);
    if (v.kind != Kind::call || depth > kDepth) return bad(v, "a tensor of the pickle is made of no tensor");
    return tensor(m_pickle.at(v.items[0]).text, m_pickle.at(v.items[1]).items, v, depth);
}

Result<TorchWindow> TorchRebuild::tensor(std::string_view function, Items arguments, const PickleValue& at,
                                         int depth) {
    if (function == "torch._tensor._rebuild_from_type_v2") { // (function, class, its arguments, state)
        if (arguments.size() < 3 || depth > kDepth) return bad(at, "a tensor of the pickle lacks arguments");
        const PickleValue &rebuild = m_pickle.at(arguments[0]), &kind = m_pickle.at(arguments[1]),
                          &rest = m_pickle.at(arguments[2]);
        if (rebuild.kind != Kind::global || rest.kind != Kind::tuple)
            return bad(at, "a tensor of the pickle is made of no tensor");
        if (kind.text != "torch.Tensor" && kind.text != "torch.nn.parameter.Parameter" &&
            kind.text != "torch.nn.parameter.Buffer")
            return unsupported(at, fmt::format("a tensor of the class {}", inQuotes(kind.text)),
                               "save it as a plain tensor");
        return tensor(rebuild.text, rest.items, at, depth + 1);
    }
    if (!function.starts_with(kUtils)) return bad(at, "a tensor of the pickle is made of no tensor");
    function.remove_prefix(kUtils.size());
    if (function == "_rebuild_parameter" || function == "_rebuild_parameter_with_state") {
        if (arguments.empty()) return bad(at, "a parameter of the pickle lacks its tensor");
        return inner(arguments[0], depth + 1);
    }
    if (function == "_rebuild_sparse_tensor" || function == "_rebuild_sparse_csr_tensor") {
        return unsupported(at,
                           fmt::format("a sparse tensor ({}), which is not compared", layoutName(arguments)),
                           "save it with to_dense()");
    }
    if (function == "_rebuild_nested_tensor")
        return unsupported(at, "a nested tensor, which is not compared", "save its parts");
    if (function == "_rebuild_meta_tensor_no_storage")
        return unsupported(at, "a tensor on the device 'meta', which has no values", "");
    if (arguments.size() < 4) return bad(at, "a tensor of the pickle lacks arguments");
    if (function == "_rebuild_qtensor") return quantised(arguments, at, depth);
    const bool v3 = function == "_rebuild_tensor_v3";
    if (!v3 && function != "_rebuild_tensor_v2" && function != "_rebuild_tensor")
        return bad(at, "a tensor of the pickle is made of no tensor");
    auto window = plain(arguments, at);
    if (!window) return window;
    if (v3) {
        const auto type =
            arguments.size() < 7 ? std::nullopt : torchScalarType(m_pickle.at(arguments[6]).text);
        if (!type) return bad(at, "a tensor of the pickle has no element type");
        window->type = *type;
    }
    if (const std::size_t flags = v3 ? 7 : 6; arguments.size() > flags)
        if (auto ok = readFlags(arguments[flags], *window); !ok) return ok.error();
    if (!window->type.dtype)
        return unsupported(at, fmt::format("the type {} is not compared by this version", window->type.name),
                           "convert the tensor to one of the usual types");
    return window;
}

/// _get_layout('torch.sparse_csr') is called for the name.
std::string TorchRebuild::layoutName(Items arguments) const {
    if (arguments.empty()) return "no layout";
    const PickleValue& v = m_pickle.at(arguments[0]);
    if (v.kind != Kind::call || m_pickle.at(v.items[1]).items.size() != 1)
        return pickleText(m_pickle, arguments[0], 100, false);
    return pickleText(m_pickle, m_pickle.at(v.items[1]).items[0], 100, false);
}

Status TorchRebuild::readFlags(std::uint32_t index, TorchWindow& window) const {
    const PickleValue& flags = m_pickle.at(index);
    if (flags.kind == Kind::none) return Done{};
    if (flags.kind != Kind::dict) return bad(flags, "the flags of a tensor are no dictionary");
    for (std::size_t i = 0; i + 1 < flags.items.size(); i += 2) {
        const PickleValue &key = m_pickle.at(flags.items[i]), &value = m_pickle.at(flags.items[i + 1]);
        const bool on = value.kind == Kind::boolean && value.integer;
        if (key.text == "conj")
            window.conjugated = on;
        else if (key.text == "neg")
            window.negated = on;
        else // it may change what the values mean
            return unsupported(key, fmt::format("a tensor with the flag {}", inQuotes(key.text)),
                               "save a plain copy of it: tensor.clone()");
    }
    return Done{};
}

Result<TorchWindow> TorchRebuild::plain(Items arguments, const PickleValue& at) {
    auto window = storage(arguments[0]);
    if (!window) return window;
    const auto offset = count(arguments[1]);
    const auto shape = numbers(arguments[2]), strides = numbers(arguments[3]);
    if (!offset || !shape || !strides || shape->size() != strides->size())
        return bad(at, "offset, shape and strides of a tensor are no whole numbers that agree");
    const auto first = addFits(window->offset, *offset);
    if (!first) return bad(at, "the offset of a tensor does not fit 64 bits");
    window->offset = *first;
    window->shape = *shape;
    window->strides = *strides;
    return window;
}

Result<TorchWindow> TorchRebuild::quantised(Items arguments, const PickleValue& at, int depth) {
    auto window = plain(arguments, at);
    if (!window) return window;
    if (arguments.size() < 5 || m_pickle.at(arguments[4]).items.size() < 3)
        return bad(at, "a quantised tensor of the pickle lacks its scale");
    if (!window->type.dtype || !window->type.quantised)
        return unsupported(at, fmt::format("a quantised tensor of the type {}", window->type.name),
                           "save it with dequantize()");
    const Items how = m_pickle.at(arguments[4]).items;
    const std::string_view scheme = m_pickle.at(how[0]).text;
    TorchQuantiser q;
    if (scheme == "torch.per_tensor_affine" || scheme == "torch.per_tensor_symmetric") {
        const PickleValue &scale = m_pickle.at(how[1]), &zero = m_pickle.at(how[2]);
        if (scale.kind != Kind::real || zero.kind != Kind::integer)
            return bad(at, "scale and zero point of a quantised tensor are no numbers");
        q.scale = scale.real;
        q.zeroPoint = zero.integer;
    } else if (scheme == "torch.per_channel_affine" && how.size() >= 4) {
        const auto scales = part(how[1], depth + 1), zeros = part(how[2], depth + 1);
        if (!scales) return scales.error();
        if (!zeros) return zeros.error();
        const auto axis = count(how[3]);
        if (!axis || *axis >= window->shape.size()) return bad(at, "a quantised tensor has no such axis");
        q.perChannel = true;
        q.axis = static_cast<std::size_t>(*axis);
        q.scales = *scales;
        q.zeroPoints = *zeros;
        for (const std::size_t p : {q.scales, q.zeroPoints})
            if (m_out.parts[p].shape != Shape{window->shape[q.axis]})
                return bad(at, "scales and zero points of a quantised tensor do not fit its axis");
    } else {
        return unsupported(at, fmt::format("a quantised tensor ({})", inQuotes(scheme)),
                           "save it with dequantize()");
    }
    window->quantiser = q;
    return window;
}

Result<std::size_t> TorchRebuild::part(std::uint32_t call, int depth) {
    auto window = inner(call, depth);
    if (!window) return window.error();
    if (window->quantiser || kind(*window->type.dtype) == DTypeKind::complex)
        return bad(m_pickle.at(call), "scale and zero point of a quantised tensor are no numbers");
    m_out.parts.push_back(std::move(*window));
    return m_out.parts.size() - 1;
}

/// ('storage', class, key, device, elements[, (key of the view, offset, elements)])
Result<TorchWindow> TorchRebuild::storage(std::uint32_t persistent) {
    const PickleValue& v = m_pickle.at(persistent);
    const PickleValue* id = v.kind == Kind::persistent ? &m_pickle.at(v.items[0]) : nullptr;
    if (!id || id->kind != Kind::tuple || id->items.size() < 5 || m_pickle.at(id->items[0]).text != "storage")
        return bad(v, "a tensor of the pickle has no storage");
    const PickleValue &type = m_pickle.at(id->items[1]), &key = m_pickle.at(id->items[2]);
    const auto elements = count(id->items[4]);
    const auto known = type.kind == Kind::global ? torchStorageType(type.text) : std::nullopt;
    if (!known || key.kind != Kind::text || !elements || *elements > INT64_MAX)
        return bad(v, "a storage of the pickle is described by other things than class, key and size");
    TorchWindow window;
    window.type = *known;
    window.shape = {static_cast<std::int64_t>(*elements)};
    window.strides = {1};
    if (id->items.size() > 5 && m_pickle.at(id->items[5]).kind != Kind::none) { // files of before 2019
        const PickleValue& view = m_pickle.at(id->items[5]);
        const auto offset = view.items.size() == 3 ? count(view.items[1]) : std::nullopt;
        const auto size = offset ? count(view.items[2]) : std::nullopt;
        if (!size || *size > INT64_MAX) return bad(v, "a view of a storage is described wrongly");
        window.offset = *offset;
        window.shape = {static_cast<std::int64_t>(*size)};
    }
    const auto [at, fresh] = m_storages.try_emplace(fmt::format("{} {} {}", known->name, *elements, key.text),
                                                    m_out.storages.size());
    if (fresh) m_out.storages.push_back({std::string(key.text), *known, *elements});
    window.storage = at->second;
    return window;
}

std::optional<std::vector<std::int64_t>> TorchRebuild::numbers(std::uint32_t index) const {
    const PickleValue* v = &m_pickle.at(index);
    if (v->kind == Kind::call && m_pickle.at(v->items[0]).text == "torch.Size" &&
        m_pickle.at(v->items[1]).items.size() == 1)
        v = &m_pickle.at(m_pickle.at(v->items[1]).items[0]);
    if ((v->kind != Kind::tuple && v->kind != Kind::list) || v->items.size() > limits::kTorchDims)
        return std::nullopt;
    std::vector<std::int64_t> out;
    for (const std::uint32_t i : v->items) {
        const auto n = count(i);
        if (!n || *n > INT64_MAX) return std::nullopt;
        out.push_back(static_cast<std::int64_t>(*n));
    }
    return out;
}

std::optional<std::uint64_t> TorchRebuild::count(std::uint32_t index) const {
    const PickleValue& v = m_pickle.at(index);
    if (v.kind != Kind::integer || v.integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(v.integer);
}

} // namespace divdet
