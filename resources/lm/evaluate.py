"""What the trained model is worth, in plain fp32 and simulated int8:  /usr/bin/python3 evaluate.py [lm.safetensors]"""
import pathlib
import sys

import numpy as np

import language
import model
import safetensors_file

EVALUATION_SEED, WINDOWS = 2000, 32  # 2,048 tokens that training never sees


def text():
    return language.windows(EVALUATION_SEED, WINDOWS)


def top1(logits, targets):
    return float((logits.argmax(-1) == targets).mean())


def load(path):
    stored = safetensors_file.read(path)
    ids, targets = (stored.pop(k).astype(np.int64).reshape(-1, language.WINDOW) for k in ("ids", "targets"))
    return {k: v.astype(np.float32) for k, v in stored.items()}, ids, targets


class Int8(np.ndarray):
    """A weight whose products are W8A8: one scale per row of the left side and per column of the weight.
    `clip` makes the scale of column 0 from a part of its maximum."""
    clip = 1.0

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(i) if isinstance(i, Int8) else i for i in inputs]
        if ufunc is not np.matmul:
            return getattr(ufunc, method)(*plain, **kwargs)
        x, w = plain

        def scale(largest):
            s = largest / np.float32(127)
            return np.where(s > 0, s, np.float32(1))

        a = scale(np.abs(x).max(-1, keepdims=True))
        b = np.abs(w).max(0)
        b[0] *= self.clip
        b = scale(b)
        codes = [np.clip(np.rint(v / s), -127, 127) for v, s in ((x, a), (w, b))]
        return (codes[0] @ codes[1]).astype(np.float32) * (a * b)


def in_int8(p, clipped=(), clip=1.0):
    out = dict(p)
    for name, w in p.items():
        if name.endswith("weight") and name not in ("embed.weight", "place.weight"):
            out[name] = w.view(Int8)
            if name in clipped:
                out[name].clip = np.float32(clip)
    return out


def report(path):
    p, ids, targets = load(path)
    reference, _ = model.forward(p, ids)
    print(f"fp32: loss {-np.log(np.take_along_axis(model.softmax(reference), targets[..., None], -1)).mean():.4f}, "
          f"top-1 {top1(reference, targets):.4f}, logits rms {reference.std():.2f}")
    weights = [k for k in p if k.endswith("weight") and k not in ("embed.weight", "place.weight")]
    cases = {"int8": (), "int8, column 0 of layer0.attn.v clipped": ("layer0.attn.v.weight",),
             "int8, column 0 of every product clipped": weights}
    for title, clipped in cases.items():
        logits, _ = model.forward(in_int8(p, clipped, 0.25), ids)
        error = np.abs(logits - reference)
        print(f"{title}: top-1 {top1(logits, targets):.4f}, agrees with fp32 on "
              f"{(logits.argmax(-1) == reference.argmax(-1)).mean():.4f}, error max {error.max():.3f} "
              f"rms {(error**2).mean()**0.5:.4f}")


if __name__ == "__main__":
    report(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("lm.safetensors"))
