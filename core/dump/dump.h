#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet {

/// One tensor of a dump, as its header tells it; the data is not touched yet.
struct TapEntry {
    std::string name; ///< text as the file has it, never used as a path
    DType dtype = DType::f32;
    Shape shape;
    std::optional<Error> error; ///< this tap alone is unreadable; dtype and shape may be unknown then
    std::size_t opaqueItem = 0; ///< bytes of an element when dtype is opaque
    std::vector<std::string>
        fields;            ///< numeric fields of a record array that has several; nested `outer.inner`
    std::string transform; ///< done to what is stored: split, transpose, ranks sum, …; empty: nothing
};

/// Something a user should know about a dump. Ids are those of the command line: duplicate-member,
/// ignored-member, size-mismatch, guessed-dtype, two-data-fields.
struct Caution {
    std::string id;
    std::string text;
    std::string tap; ///< empty: the file as a whole
};

/// A file named like `model-00001-of-00003.safetensors` is one part of a set.
struct Shard {
    int index = 0, count = 0;
};

/// What a dump holds. Taps are in depth order: `tap_order` of safetensors metadata, else as stored, else the
/// natural order of names for formats that sort.
struct Manifest {
    std::string format; ///< npy, npz, safetensors, tensorproto, onnx, polygraphy, raw, folder
    std::filesystem::path path;
    std::vector<TapEntry> taps;
    std::vector<std::pair<std::string, std::string>> metadata;
    std::vector<Caution> cautions;
    std::optional<Shard> shard; ///< the taps are not the whole model

    /// Who made the taps, where the file tells (Polygraphy); each has a stretch of them. Of several, all taps
    /// are named `runner/…` until one is chosen (runner_choice.h).
    struct Runner {
        std::string name;
        std::size_t firstTap = 0, taps = 0;
    };
    std::vector<Runner> runners;
    std::vector<std::string> ranks; ///< prefixes of the taps of a folder of ranks: `rank0/`, …
};

struct LoadOptions {
    /// Type of elements whose meaning the file does not tell: void taps, and unsigned integers of that width
    /// (bf16 saved as its bits). Other taps keep their own type. DType::opaque asks for the bytes themselves:
    /// a void tap arrives as u8 with one more dimension, the bytes of an element.
    std::optional<DType> opaqueAs;
    std::string field; ///< of a record array with several numeric fields
};

/// An opened file or folder. Immutable; `load` may be called from several threads.
class Dump {
public:
    virtual ~Dump() = default;
    Dump(const Dump&) = delete;
    Dump& operator=(const Dump&) = delete;

    const Manifest& manifest() const { return m_manifest; }
    const std::string& format() const { return m_manifest.format; }
    const std::filesystem::path& path() const { return m_manifest.path; }
    const std::vector<TapEntry>& taps() const { return m_manifest.taps; }
    bool isShard() const { return m_manifest.shard.has_value(); }

    std::optional<std::size_t> find(std::string_view name) const;

    /// The tensor: a window on the mapped file where its bytes are stored plainly, else inflated. Stored and
    /// inflated zip members have their checksum verified at each load. Errors: the tap's own; truncated,
    /// malformed or refused data; usage when a void tap has no `opaqueAs` or a record array no `field`.
    Result<Tensor> load(std::size_t tap, const LoadOptions& options = {}) const;

protected:
    explicit Dump(Manifest manifest)
        : m_manifest(std::move(manifest)) {}

    /// Tap as stored; void and record arrays (without a field) as DType::opaque. Precondition: no tap error.
    virtual Result<Tensor> loadStored(std::size_t tap, const std::string& field) const = 0;

    /// For dumps made of dumps: the part's tensor as stored.
    static Result<Tensor> storedOf(const Dump& part, std::size_t tap, const std::string& field) {
        return part.loadStored(tap, field);
    }

private:
    Result<Tensor> interpret(Tensor stored, const TapEntry& tap, const LoadOptions& options) const;
    Manifest m_manifest;
};

/// `…-00001-of-00003` at the end of a file stem.
std::optional<Shard> shardOf(const std::filesystem::path& path);

} // namespace divdet
