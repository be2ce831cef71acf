"""The task metric of two dumps with numpy, against the document of divdet: prints the worst relative difference.

usage: task_metric.py REFERENCE.npz CANDIDATE.npz DOCUMENT.json
"""
import json
import sys

import numpy as np


def log_softmax(x):
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def mean(x):
    return x.mean(), x.std(ddof=1) / np.sqrt(len(x))


reference, candidate = np.load(sys.argv[1]), np.load(sys.argv[2])
with open(sys.argv[3]) as f:
    told = json.load(f)["metric"]
r, c = reference["logits"].astype(np.float64), candidate["logits"].astype(np.float64)
targets = reference["targets"].astype(np.int64)
rows = np.arange(len(targets))
lr, lc = log_softmax(r), log_softmax(c)
guess, other = r.argmax(axis=1), c.argmax(axis=1)
ce_r, ce_c = -lr[rows, targets], -lc[rows, targets]
top2 = np.sort(r, axis=1)[:, -2:]
margin = top2[:, 1] - top2[:, 0]
change = np.exp(ce_c.mean()) * ce_c - np.exp(ce_r.mean()) * ce_r
flipped = np.flatnonzero(guess != other)
expected = {
    "top1_agreement": mean((guess == other).astype(float)),
    "accuracy_reference": mean((guess == targets).astype(float)),
    "accuracy_candidate": mean((other == targets).astype(float)),
    "accuracy_change": mean((other == targets).astype(float) - (guess == targets)),
    "ce_reference": mean(ce_r),
    "ce_candidate": mean(ce_c),
    "ce_change": mean(ce_c - ce_r),
    "ppl_reference": (np.exp(ce_r.mean()), np.exp(ce_r.mean()) * mean(ce_r)[1]),
    "ppl_candidate": (np.exp(ce_c.mean()), np.exp(ce_c.mean()) * mean(ce_c)[1]),
    "ppl_change": (np.exp(ce_c.mean()) - np.exp(ce_r.mean()), mean(change)[1]),
    "kl": mean((np.exp(lr) * (lr - lc)).sum(axis=1)),
}
pairs = [(told[k], v) for k, (v, _) in expected.items()]
pairs += [(told[k + "_error"], e) for k, (_, e) in expected.items()]
pairs += [
    (told["headroom"], (margin > 2 * np.abs(c - r).max(axis=1)).mean()),
    (told["flips"], len(flipped)),
    (told["first_flip"]["token"], flipped[0]),
    (told["nothing_flips_within"]["atol"], margin.min() / 2),
    (told["flipped_are_outside_below"]["atol"], np.abs(c - r)[flipped].max(axis=1).min()),
]
print(max(abs(a - b) / max(abs(b), 1e-6) for a, b in pairs))
