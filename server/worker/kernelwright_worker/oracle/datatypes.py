"""Element types: bytes to float64 or int64 arrays and back. bfloat16, which numpy lacks, is the upper half of
a float32.
"""

from __future__ import annotations

import numpy

_NUMPY = {
    "float64": "<f8",
    "float32": "<f4",
    "float16": "<f2",
    "int64": "<i8",
    "int32": "<i4",
    "int16": "<i2",
    "int8": "<i1",
    "uint64": "<u8",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "<u1",
    "bool": "?",
}
_SIZES = {"bfloat16": 2}
#: Distance from 1 to the next number of each floating type.
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def is_float(dtype: str) -> bool:
    return dtype in EPSILON


def item_size(dtype: str) -> int:
    return _SIZES.get(dtype) or numpy.dtype(_NUMPY[dtype]).itemsize


def encode(values: numpy.ndarray, dtype: str) -> bytes:
    """Bytes of an array in a type, rounded to nearest even; little endian, row major."""
    if dtype != "bfloat16":
        return numpy.ascontiguousarray(values).astype(_NUMPY[dtype]).tobytes()
    single = numpy.ascontiguousarray(values).astype("<f4")
    bits = single.view("<u4")
    rounded = ((bits.astype("<u8") + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")
    rounded[numpy.isnan(single)] = 0x7FC0
    return rounded.tobytes()


def decode(content: bytes, dtype: str, shape: list[int]) -> numpy.ndarray:
    """Array of the shape: float64 for floating types, the type itself for integers and bool. The array is a
    private copy.
    """
    if dtype == "bfloat16":
        bits = numpy.frombuffer(content, "<u2").astype("<u4") << 16
        return bits.view("<f4").astype("<f8").reshape(shape)
    stored = (
        numpy.frombuffer(content, "u1") != 0 if dtype == "bool" else numpy.frombuffer(content, _NUMPY[dtype])
    )
    return stored.astype("<f8" if is_float(dtype) else stored.dtype).reshape(shape)


def in_precision(values: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """float32 stands for all floating types of 32 bits and less (kernels add up in it), float64 for itself."""
    return values.astype("<f4") if is_float(dtype) and dtype != "float64" else values
