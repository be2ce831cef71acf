"""Trains the model of the preset `lm`. numpy only; a run takes some minutes on two cores.

    /usr/bin/python3 train.py [--steps N] [--out lm.safetensors]

Everything is drawn from seeds, so that the same numpy on the same kind of machine gives the same file; another BLAS
adds up in another order and lands at slightly other weights, with the same accuracy.
"""
import argparse
import os
import pathlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: the sums shall not depend on the cores

import numpy as np

import evaluate
import language
import model
import safetensors_file

TRAIN_SEED, INIT_SEED = 1000, 7
BATCH, STEPS, RATE, WARM_UP = 16, 900, 3e-3, 100
LOGIT_DECAY = 8e-3
OUTLIER = 4.0  # of WILD in channel 0; the other channels are near 1


def masks():
    """What may be trained. Channel 0 of the residual stream is kept for one feature, as large models keep a few
    outlier channels for one: the first token's mood writes it, from 0 for CALM to OUTLIER for WILD, and one weight
    reads it, [0, 0] of layer0.attn.v. All that the model knows of the mood passes there."""
    free = {name: np.ones(shape, np.float32) for name, shape in model.shapes().items()}
    for name, mask in free.items():
        part = name.split(".")[-2]
        if part in ("embed", "place", "proj", "down"):
            mask[:, 0] = 0
        if part == "embed":
            mask[language.CALM:language.WILD + 1] = 0
        if part in ("q", "k", "v", "up", "logits"):
            mask[0] = 0
    alone = free["layer0.attn.v.weight"]
    alone[:, 0] = 0
    alone[0, 0] = 1
    return free


def start(rng, free):
    p = {}
    for name, shape in model.shapes().items():
        if name.endswith("gain"):
            p[name] = np.ones(shape, np.float32)
            continue
        scale = 0.5 if name in ("embed.weight", "place.weight") else shape[0] ** -0.5
        p[name] = rng.normal(0, scale, shape).astype(np.float32) * free[name]
    for degree in range(4):  # the markers differ in nothing else
        p["embed.weight"][language.CALM + degree] = p["embed.weight"][language.CALM]
        p["embed.weight"][language.CALM + degree, 0] = OUTLIER * degree / 3
    p["layer0.attn.v.weight"][0, 0] = 1
    return p


class Adam:
    def __init__(self, p):
        self.m = {k: np.zeros_like(v) for k, v in p.items()}
        self.v = {k: np.zeros_like(v) for k, v in p.items()}
        self.step = 0

    def update(self, p, g, free, rate):
        self.step += 1
        for k in p:
            grad = g[k] * free[k]
            self.m[k] += 0.1 * (grad - self.m[k])
            self.v[k] += 0.02 * (grad * grad - self.v[k])
            m, v = self.m[k] / (1 - 0.9**self.step), self.v[k] / (1 - 0.98**self.step)
            p[k] -= np.float32(rate) * (m / (np.sqrt(v) + 1e-8)).astype(np.float32)


def train(steps):
    free = masks()
    p = start(np.random.default_rng(INIT_SEED), free)
    adam = Adam(p)
    for step in range(steps):
        text = language.windows([TRAIN_SEED, step], BATCH)
        loss, g = model.loss_and_gradients(p, text[:, :-1], text[:, 1:], LOGIT_DECAY)
        warm, done = min(1, (step + 1) / WARM_UP), step / steps
        adam.update(p, g, free, RATE * warm * (0.5 + 0.5 * np.cos(np.pi * done)))
        if step % 100 == 0 or step == steps - 1:
            print(f"step {step}: loss {loss:.4f}", flush=True)
    return {k: v.astype(np.float16) for k, v in p.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=STEPS)
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).with_name("lm.safetensors"))
    given = options.parse_args()
    weights = train(given.steps)
    text = evaluate.text()
    safetensors_file.write(given.out, {**weights, "ids": text[:, :-1].reshape(-1).astype(np.uint8),
                                       "targets": text[:, 1:].reshape(-1).astype(np.uint8)})
    evaluate.report(given.out)


if __name__ == "__main__":
    main()
