# Made of device-protocol.json by `npm run protocols`: change it there.
# fmt: off
"""The device protocol: numbers, bodies of requests and fields of replies."""


from __future__ import annotations


from collections.abc import Sequence
from typing import NamedTuple


from .wire import Bytes, Fields, count, listed, sized, wide


VERSION = 1
HELLO = 1
ALLOCATE = 2
FREE = 3
WRITE = 4
READ = 5
FILL = 6
COPY = 7
LOAD = 8
LAUNCH = 9
SYNCHRONIZE = 10
MARK = 11
OCCUPANCY = 12
MEMORY = 13
RESET = 14
ELAPSED = 15
LIMIT = 16
FETCH = 17
TELL = 18
MISUSE = 19
IMAGE = 20
DROP = 21
LINK = 22
TURN = 23
REFETCH = 24
DEVICE_FLAG_SANITIZES = 1
DEVICE_FLAG_PROFILES = 2
LAUNCH_FLAG_COOPERATIVE = 1
LAUNCH_FLAG_COUNTED = 2
LAUNCH_FLAG_BREAKS_WHEN_REFUSED = 4
LAUNCH_FLAG_TRITON = 8
LAUNCH_FLAG_SAMPLED = 16
LAUNCH_FLAG_PROGRAMMATIC = 32
LAUNCH_FLAG_LARGE_CLUSTERS = 64
IMAGE_KIND_TEXTURE = 1
IMAGE_KIND_SURFACE = 2
IMAGE_SHAPE_LINEAR = 0
IMAGE_SHAPE_ONE_DIMENSIONAL = 1
IMAGE_SHAPE_TWO_DIMENSIONAL = 2
IMAGE_SHAPE_THREE_DIMENSIONAL = 3
IMAGE_SHAPE_LAYERED_ONE_DIMENSIONAL = 4
IMAGE_SHAPE_LAYERED_TWO_DIMENSIONAL = 5
IMAGE_SHAPE_CUBE = 6
SAMPLER_FLAG_NORMALIZED = 1
SAMPLER_FLAG_READS_NORMALIZED = 2
SAMPLER_FLAG_SRGB = 4
TURN_END_NONE = 0
TURN_END_RETURNED = 1
TURN_END_RAISED = 2
TURN_END_CRASHED = 3
TURN_END_FAILED = 4
TURN_FLAG_LATEST_STREAM_FIRST = 1
TURN_FLAG_CALLS_TWICE = 2
TURN_FLAG_OTHERS_FIRST = 4
TURN_FLAG_SECOND_DEVICE = 8
TURN_FLAG_ROUNDED_UP = 16
TURN_FLAG_ROUNDED_DOWN = 32
DEVICE_LIMIT_STACK_SIZE = 0
DEVICE_LIMIT_MALLOC_HEAP_SIZE = 2


def rectangle(address: int, pitch: int, width: int, height: int) -> bytes:
    return b"".join(
        [
            wide(address),
            wide(pitch),
            wide(width),
            wide(height),
        ]
    )


def side(address: int, pitch: int) -> bytes:
    return b"".join(
        [
            wide(address),
            wide(pitch),
        ]
    )


def triple(x: int, y: int, z: int) -> bytes:
    return b"".join(
        [
            count(x),
            count(y),
            count(z),
        ]
    )


def image_layout(address: int, shape: int, width: int, height: int, depth: int, pitch: int, slice: int, channels: int, bits: int, format: int) -> bytes:
    return b"".join(
        [
            wide(address),
            count(shape),
            wide(width),
            wide(height),
            wide(depth),
            wide(pitch),
            wide(slice),
            count(channels),
            count(bits),
            count(format),
        ]
    )


def sampler_settings(addressing: tuple, filter: int, flags: int, red: int, green: int, blue: int, alpha: int) -> bytes:
    return b"".join(
        [
            triple(*addressing),
            count(filter),
            count(flags),
            count(red),
            count(green),
            count(blue),
            count(alpha),
        ]
    )


def source_part(name: str, ptx: str) -> bytes:
    return b"".join(
        [
            sized(name),
            sized(ptx),
        ]
    )


def kept_things(events: int, streams: int, graphs: int, host_bytes: int, strays: int) -> bytes:
    return b"".join(
        [
            wide(events),
            wide(streams),
            wide(graphs),
            wide(host_bytes),
            count(strays),
        ]
    )


def hello_request(version: int) -> bytes:
    return b"".join(
        [
            count(version),
        ]
    )


def allocate_request(bytes: int, name: str, where: str) -> bytes:
    return b"".join(
        [
            wide(bytes),
            sized(name),
            sized(where),
        ]
    )


def free_request(address: int, where: str) -> bytes:
    return b"".join(
        [
            wide(address),
            sized(where),
        ]
    )


def write_request(target: tuple, offset: int, where: str) -> bytes:
    return b"".join(
        [
            rectangle(*target),
            wide(offset),
            sized(where),
        ]
    )


def read_request(source: tuple, where: str) -> bytes:
    return b"".join(
        [
            rectangle(*source),
            sized(where),
        ]
    )


def fill_request(target: tuple, value: int, unit: int, where: str) -> bytes:
    return b"".join(
        [
            rectangle(*target),
            count(value),
            count(unit),
            sized(where),
        ]
    )


def copy_request(target: tuple, source: tuple, width: int, height: int, direction: int, where: str) -> bytes:
    return b"".join(
        [
            side(*target),
            side(*source),
            wide(width),
            wide(height),
            count(direction),
            sized(where),
        ]
    )


def load_request(ptx: str, cubin: Bytes) -> bytes:
    return b"".join(
        [
            sized(ptx),
            sized(cubin),
        ]
    )


def launch_request(module: int, kernel: str, grid: tuple, block: tuple, dynamic_shared_bytes: int, dynamic_shared_limit: int, flags: int, cluster: tuple, where: str, parameters: Bytes) -> bytes:
    return b"".join(
        [
            wide(module),
            sized(kernel),
            triple(*grid),
            triple(*block),
            count(dynamic_shared_bytes),
            count(dynamic_shared_limit),
            count(flags),
            triple(*cluster),
            sized(where),
            sized(parameters),
        ]
    )


def synchronize_request(where: str) -> bytes:
    return b"".join(
        [
            sized(where),
        ]
    )


def mark_request() -> bytes:
    return b""


def occupancy_request(module: int, kernel: str, threads: int, dynamic_shared_bytes: int) -> bytes:
    return b"".join(
        [
            wide(module),
            sized(kernel),
            count(threads),
            count(dynamic_shared_bytes),
        ]
    )


def memory_request() -> bytes:
    return b""


def reset_request() -> bytes:
    return b""


def elapsed_request() -> bytes:
    return b""


def limit_request(limit: int, value: int) -> bytes:
    return b"".join(
        [
            count(limit),
            wide(value),
        ]
    )


def fetch_request(source: tuple, where: str) -> bytes:
    return b"".join(
        [
            rectangle(*source),
            sized(where),
        ]
    )


def tell_request(message: str, where: str) -> bytes:
    return b"".join(
        [
            sized(message),
            sized(where),
        ]
    )


def misuse_request(message: str, where: str) -> bytes:
    return b"".join(
        [
            sized(message),
            sized(where),
        ]
    )


def image_request(kind: int, layout: tuple, sampler: tuple | None, where: str) -> bytes:
    return b"".join(
        [
            count(kind),
            image_layout(*layout),
            b"" if sampler is None else sampler_settings(*sampler),
            sized(where),
        ]
    )


def drop_request(kind: int, object: int, where: str) -> bytes:
    return b"".join(
        [
            count(kind),
            wide(object),
            sized(where),
        ]
    )


def link_request(parts: Sequence[tuple], cubin: Bytes) -> bytes:
    return b"".join(
        [
            listed([source_part(*one) for one in parts]),
            sized(cubin),
        ]
    )


def turn_request(status: int, message: str, where: str, host_steps: int, kept: tuple) -> bytes:
    return b"".join(
        [
            count(status),
            sized(message),
            sized(where),
            wide(host_steps),
            kept_things(*kept),
        ]
    )


def refetch_request(source: tuple, where: str) -> bytes:
    return b"".join(
        [
            rectangle(*source),
            sized(where),
        ]
    )


class Attribute(NamedTuple):
    attribute: int
    value: int


def read_attribute(fields: Fields) -> Attribute:
    return Attribute(
        fields.count(),
        fields.signed(),
    )


class ParameterPlace(NamedTuple):
    offset: int
    bytes: int


def read_parameter_place(fields: Fields) -> ParameterPlace:
    return ParameterPlace(
        fields.count(),
        fields.count(),
    )


class KernelFacts(NamedTuple):
    name: str
    shared_bytes: int
    local_bytes: int
    registers: int
    max_threads: int
    parameters: list[ParameterPlace]


def read_kernel_facts(fields: Fields) -> KernelFacts:
    return KernelFacts(
        fields.text(),
        fields.count(),
        fields.count(),
        fields.count(),
        fields.count(),
        [read_parameter_place(fields) for _ in range(fields.count())],
    )


class VariableFacts(NamedTuple):
    name: str
    address: int
    bytes: int
    is_constant: int


def read_variable_facts(fields: Fields) -> VariableFacts:
    return VariableFacts(
        fields.text(),
        fields.wide(),
        fields.wide(),
        fields.count(),
    )


class ModuleContent(NamedTuple):
    module: int
    kernels: list[KernelFacts]
    variables: list[VariableFacts]


def read_module_content(fields: Fields) -> ModuleContent:
    return ModuleContent(
        fields.wide(),
        [read_kernel_facts(fields) for _ in range(fields.count())],
        [read_variable_facts(fields) for _ in range(fields.count())],
    )


class LentBuffer(NamedTuple):
    address: int
    bytes: int


def read_lent_buffer(fields: Fields) -> LentBuffer:
    return LentBuffer(
        fields.wide(),
        fields.wide(),
    )


class Word(NamedTuple):
    value: int


def read_word(fields: Fields) -> Word:
    return Word(
        fields.wide(),
    )


class HelloReply(NamedTuple):
    version: int
    flags: int
    name: str
    memory_bytes: int
    window_base: int
    window_bytes: int
    attributes: list[Attribute]


def read_hello_reply(fields: Fields) -> HelloReply:
    return HelloReply(
        fields.count(),
        fields.count(),
        fields.text(),
        fields.wide(),
        fields.wide(),
        fields.wide(),
        [read_attribute(fields) for _ in range(fields.count())],
    )


class AllocateReply(NamedTuple):
    address: int


def read_allocate_reply(fields: Fields) -> AllocateReply:
    return AllocateReply(
        fields.wide(),
    )


class SynchronizeReply(NamedTuple):
    printed: str


def read_synchronize_reply(fields: Fields) -> SynchronizeReply:
    return SynchronizeReply(
        fields.text(),
    )


class MarkReply(NamedTuple):
    wall: int
    modelled: int
    sampled: int


def read_mark_reply(fields: Fields) -> MarkReply:
    return MarkReply(
        fields.wide(),
        fields.wide(),
        fields.wide(),
    )


class OccupancyReply(NamedTuple):
    blocks: int


def read_occupancy_reply(fields: Fields) -> OccupancyReply:
    return OccupancyReply(
        fields.count(),
    )


class MemoryReply(NamedTuple):
    free: int
    total: int


def read_memory_reply(fields: Fields) -> MemoryReply:
    return MemoryReply(
        fields.wide(),
        fields.wide(),
    )


class ImageReply(NamedTuple):
    object: int


def read_image_reply(fields: Fields) -> ImageReply:
    return ImageReply(
        fields.wide(),
    )


class TurnReply(NamedTuple):
    buffers: list[LentBuffer]
    arguments: list[Word]
    flags: int


def read_turn_reply(fields: Fields) -> TurnReply:
    return TurnReply(
        [read_lent_buffer(fields) for _ in range(fields.count())],
        [read_word(fields) for _ in range(fields.count())],
        fields.count(),
    )
