"""Compares taps of `divdet run lm` with the forward pass of resources/lm/model.py in fp64.

    /usr/bin/python3 lm_forward.py RESOURCES_LM DUMP.npz     prints the largest relative error of the logits
"""
import pathlib
import sys

import numpy as np

resources, dump = pathlib.Path(sys.argv[1]), np.load(sys.argv[2])
sys.path.insert(0, str(resources))
sys.dont_write_bytecode = True
import evaluate  # noqa: E402
import language  # noqa: E402
import model  # noqa: E402

weights, ids, targets = evaluate.load(resources / "lm.safetensors")
text = evaluate.text()
assert (ids == text[:, :-1]).all() and (targets == text[:, 1:]).all(), "the file holds another text"
assert (dump["ids"].reshape(ids.shape) == ids).all() and (dump["targets"].reshape(ids.shape) == targets).all()
logits, _ = model.forward({k: v.astype(np.float64) for k, v in weights.items()}, ids)
got = dump["logits"].reshape(logits.shape)
print(np.abs(got - logits).max() / np.abs(logits).max())
