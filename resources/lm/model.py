"""The model in numpy: forward pass, and gradients by hand. The graph of the preset `lm` computes the same.

Parameters carry the names of the graph's weights. Shapes: tokens [batch, time]; activations [batch, time, width].
"""
import numpy as np

import language

WIDTH, HEADS, HIDDEN, LAYERS, EPS = 64, 2, 128, 2, 1e-6


def shapes():
    """Name -> shape of every parameter, in the order of the graph."""
    out = {"embed.weight": (language.VOCAB, WIDTH), "place.weight": (language.WINDOW, WIDTH)}
    for i in range(LAYERS):
        p = f"layer{i}."
        out[p + "attn.norm.gain"] = (WIDTH,)
        for name in "q", "k", "v", "proj":
            out[f"{p}attn.{name}.weight"] = (WIDTH, WIDTH)
        out[p + "mlp.norm.gain"] = (WIDTH,)
        out[p + "mlp.up.weight"] = (WIDTH, HIDDEN)
        out[p + "mlp.down.weight"] = (HIDDEN, WIDTH)
    out["final.norm.gain"] = (WIDTH,)
    out["logits.weight"] = (WIDTH, language.VOCAB)
    return out


def split(x):
    b, t, _ = x.shape
    return x.reshape(b, t, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)


def merge(x):
    b, _, t, _ = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, t, WIDTH)


def norm(x, gain):
    r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + x.dtype.type(EPS))
    return x * r * gain, (x, r, gain)


def norm_back(dy, saved):
    x, r, gain = saved
    g = dy * gain
    dx = r * (g - x * (r * r) * (g * x).mean(-1, keepdims=True))
    return dx, (dy * x * r).sum((0, 1))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def linear_back(dy, x, w):
    """Gradients of x @ w by x and by w."""
    return dy @ w.T, x.reshape(-1, x.shape[-1]).T @ dy.reshape(-1, dy.shape[-1])


def attention(p, prefix, x):
    n, saved_norm = norm(x, p[prefix + "norm.gain"])
    q, k, v = (split(n @ p[f"{prefix}{name}.weight"]) for name in ("q", "k", "v"))
    t = x.shape[1]
    scores = q @ k.transpose(0, 1, 3, 2) * x.dtype.type((HEADS / WIDTH) ** 0.5)
    probs = softmax(np.where(np.tri(t, dtype=bool), scores, x.dtype.type(-np.inf)))
    merged = merge(probs @ v)
    return merged @ p[prefix + "proj.weight"], (saved_norm, n, q, k, v, probs, merged)


def attention_back(p, prefix, dy, saved, g):
    saved_norm, n, q, k, v, probs, merged = saved
    dmerged, g[prefix + "proj.weight"] = linear_back(dy, merged, p[prefix + "proj.weight"])
    dcontext = split(dmerged)
    dprobs, dv = dcontext @ v.transpose(0, 1, 3, 2), probs.transpose(0, 1, 3, 2) @ dcontext
    dscores = probs * (dprobs - (dprobs * probs).sum(-1, keepdims=True)) * dy.dtype.type((HEADS / WIDTH) ** 0.5)
    dn = 0
    for name, grad in ("q", dscores @ k), ("k", dscores.transpose(0, 1, 3, 2) @ q), ("v", dv):
        dx, g[f"{prefix}{name}.weight"] = linear_back(merge(grad), n, p[f"{prefix}{name}.weight"])
        dn = dn + dx
    dx, g[prefix + "norm.gain"] = norm_back(dn, saved_norm)
    return dx


def mlp(p, prefix, x):
    n, saved_norm = norm(x, p[prefix + "norm.gain"])
    up = n @ p[prefix + "up.weight"]
    s = 1 / (1 + np.exp(-up))
    act = up * s
    return act @ p[prefix + "down.weight"], (saved_norm, n, up, s, act)


def mlp_back(p, prefix, dy, saved, g):
    saved_norm, n, up, s, act = saved
    dact, g[prefix + "down.weight"] = linear_back(dy, act, p[prefix + "down.weight"])
    dup = dact * s * (1 + up * (1 - s))
    dn, g[prefix + "up.weight"] = linear_back(dup, n, p[prefix + "up.weight"])
    dx, g[prefix + "norm.gain"] = norm_back(dn, saved_norm)
    return dx


def forward(p, tokens):
    """Logits [batch, time, vocab], and what the backward pass needs."""
    x = p["embed.weight"][tokens] + p["place.weight"][:tokens.shape[1]]
    saved = []
    for i in range(LAYERS):
        branch, a = attention(p, f"layer{i}.attn.", x)
        x = x + branch
        branch, m = mlp(p, f"layer{i}.mlp.", x)
        x = x + branch
        saved.append((a, m))
    n, saved_norm = norm(x, p["final.norm.gain"])
    return n @ p["logits.weight"], (tokens, saved, n, saved_norm)


def backward(p, dlogits, state):
    tokens, saved, n, saved_norm = state
    g = {}
    dn, g["logits.weight"] = linear_back(dlogits, n, p["logits.weight"])
    dx, g["final.norm.gain"] = norm_back(dn, saved_norm)
    for i in reversed(range(LAYERS)):
        a, m = saved[i]
        dx = dx + mlp_back(p, f"layer{i}.mlp.", dx, m, g)
        dx = dx + attention_back(p, f"layer{i}.attn.", dx, a, g)
    g["embed.weight"] = np.zeros_like(p["embed.weight"])
    np.add.at(g["embed.weight"], tokens, dx)
    g["place.weight"] = np.zeros_like(p["place.weight"])
    g["place.weight"][:tokens.shape[1]] = dx.sum(0)
    return g


def loss_and_gradients(p, tokens, targets, decay=0.0):
    """Mean cross-entropy in nats, and the gradient of every parameter of it plus `decay` times the sum of squared
    logits per token. The latter keeps logits that no text decides near zero; else they carry what they like."""
    logits, state = forward(p, tokens)
    probs = softmax(logits)
    rows = np.take_along_axis(probs, targets[..., None], -1)[..., 0]
    d = probs
    np.put_along_axis(d, targets[..., None], rows[..., None] - 1, -1)
    d += d.dtype.type(2 * decay) * logits
    return -np.log(rows).mean(), backward(p, d / d.dtype.type(targets.size), state)
