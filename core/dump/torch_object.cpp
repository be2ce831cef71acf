#include "dump/torch_object.h"

#include <unordered_set>

#include <fmt/format.h>

#include "dump/limits.h"
#include "dump/pickle_text.h"
#include "dump/text_encoding.h"
#include "dump/torch_rebuild.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

class Walk {
public:
    Walk(const Pickle& pickle, const std::string& lone)
        : m_pickle(pickle)
        , m_rebuild(pickle, m_out)
        , m_lone(lone) {}

    Result<TorchContents> all() {
        if (auto done = visit(m_pickle.top, "", 0); !done) return done.error();
        if (m_out.taps.empty())
            return Error{ErrorCode::unsupported,
                         fmt::format("a PyTorch file without tensors ({} other values)", m_out.values.size()),
                         "", "save the tensors with torch.save", m_pickle.at(m_pickle.top).offset};
        if (m_leftOut)
            m_out.cautions.push_back(
                {"ignored-member", fmt::format("{} more values beside the tensors are not listed", m_leftOut),
                 ""});
        return std::move(m_out);
    }

private:
    Error refused(std::string what, std::uint32_t value) const {
        return {ErrorCode::refused, std::move(what), "", "save the tensors as one flat dict",
                m_pickle.at(value).offset};
    }

    Status visit(std::uint32_t index, const std::string& name, std::size_t depth) {
        if (depth > limits::kTorchDepth)
            return refused(fmt::format("containers nested more than {} deep", limits::kTorchDepth), index);
        if (++m_visits > limits::kTorchVisits)
            return refused(fmt::format("more than {} values", limits::kTorchVisits), index);
        const PickleValue& v = m_pickle.at(index);
        switch (v.kind) {
        case Kind::dict:
            for (std::size_t i = 0; i + 1 < v.items.size(); i += 2)
                if (auto done = child(v.items[i + 1], name, keyText(v.items[i]), depth); !done) return done;
            return Done{};
        case Kind::list:
        case Kind::tuple:
            for (std::size_t i = 0; i < v.items.size(); ++i)
                if (auto done = child(v.items[i], name, std::to_string(i), depth); !done) return done;
            return Done{};
        case Kind::persistent:
            return addTap(m_rebuild.storageTap(index), name, depth);
        case Kind::call:
            if (auto tap = m_rebuild.tensorTap(index)) return addTap(std::move(*tap), name, depth);
            if (m_pickle.at(v.items[0]).text.starts_with("numpy.")) {
                m_out.cautions.push_back(
                    {"ignored-member", inQuotes(name) + " is a numpy value inside the pickle and is left out",
                     ""});
                return Done{};
            }
            break;
        default:
            break;
        }
        addValue(index, name);
        return Done{};
    }

    Status child(std::uint32_t index, const std::string& name, std::string key, std::size_t depth) {
        std::string whole = name.empty() ? std::move(key) : name + "." + key;
        m_nameBytes += whole.size();
        if (m_nameBytes > limits::kTorchNameBytes)
            return refused(fmt::format("names of more than {} bytes together", limits::kTorchNameBytes),
                           index);
        return visit(index, whole, depth + 1);
    }

    std::string keyText(std::uint32_t key) const {
        const std::size_t most = m_pickle.at(key).kind == Kind::text ? SIZE_MAX : limits::kTorchValueBytes;
        return pickleText(m_pickle, key, most, false);
    }

    Status addTap(TorchTap tap, const std::string& name, std::size_t depth) {
        tap.name = depth == 0 ? m_lone : name;
        for (int copy = 2; !m_names.insert(tap.name).second; ++copy) {
            if (copy == 2)
                m_out.cautions.push_back(
                    {"duplicate-member", inQuotes(name) + " is the name of more than one tensor", tap.name});
            tap.name = fmt::format("{} #{}", name, copy);
            m_nameBytes += tap.name.size();
            if (m_nameBytes > limits::kTorchNameBytes)
                return Error{ErrorCode::refused, "too many tensors of one name", "", "name them apart",
                             std::nullopt};
        }
        m_out.taps.push_back(std::move(tap));
        return Done{};
    }

    void addValue(std::uint32_t index, const std::string& name) {
        if (m_out.values.size() == limits::kTorchValues) {
            ++m_leftOut;
            return;
        }
        m_out.values.emplace_back(name.empty() ? m_lone : name,
                                  pickleText(m_pickle, index, limits::kTorchValueBytes, false));
    }

    const Pickle& m_pickle;
    TorchContents m_out;
    TorchRebuild m_rebuild;
    const std::string& m_lone;
    std::unordered_set<std::string> m_names;
    std::size_t m_visits = 0, m_leftOut = 0;
    std::uint64_t m_nameBytes = 0;
};

} // namespace

Result<TorchContents> readTorchObject(const Pickle& pickle, const std::string& lone) {
    return Walk(pickle, lone).all();
}

} // namespace divdet
