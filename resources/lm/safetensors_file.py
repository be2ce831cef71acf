"""Reads and writes the few dtypes of the weights file; numpy has no safetensors of its own."""
import json
import struct

import numpy as np

NAMES = {"F16": np.float16, "F32": np.float32, "U8": np.uint8}


def write(path, tensors):
    header, offset = {"__metadata__": {"tap_order": json.dumps(list(tensors))}}, 0
    for name, t in tensors.items():
        dtype = next(k for k, v in NAMES.items() if v == t.dtype)
        header[name] = {"dtype": dtype, "shape": list(t.shape), "data_offsets": [offset, offset + t.nbytes]}
        offset += t.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(t.tobytes() for t in tensors.values()))


def read(path):
    data = path.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    out = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name == "__metadata__":
            continue
        first, last = (8 + size + at for at in entry["data_offsets"])
        out[name] = np.frombuffer(data[first:last], NAMES[entry["dtype"]]).reshape(entry["shape"])
    return out
