# Made of device-protocol.json by `npm run protocols`: change it there.
# fmt: off
"""The device protocol: numbers, bodies of requests and fields of replies."""


from __future__ import annotations


import collections


from .wire import count, listed, sized, wide


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
DEVICE_FLAG_SANITIZES = 1
DEVICE_FLAG_PROFILES = 2
LAUNCH_FLAG_COOPERATIVE = 1
LAUNCH_FLAG_COUNTED = 2
LAUNCH_FLAG_BREAKS_WHEN_REFUSED = 4
LAUNCH_FLAG_TRITON = 8
LAUNCH_FLAG_SAMPLED = 16
IMAGE_KIND_TEXTURE = 1
IMAGE_KIND_SURFACE = 2
IMAGE_SHAPE_LINEAR = 0
IMAGE_SHAPE_ONE_DIMENSIONAL = 1
IMAGE_SHAPE_TWO_DIMENSIONAL = 2
IMAGE_SHAPE_THREE_DIMENSIONAL = 3
IMAGE_SHAPE_LAYERED_ONE_DIMENSIONAL = 4
IMAGE_SHAPE_LAYERED_TWO_DIMENSIONAL = 5
SAMPLER_FLAG_NORMALIZED = 1
SAMPLER_FLAG_READS_NORMALIZED = 2
SAMPLER_FLAG_SRGB = 4
TURN_END_NONE = 0
TURN_END_RETURNED = 1
TURN_END_RAISED = 2
TURN_END_CRASHED = 3
TURN_END_FAILED = 4
DEVICE_LIMIT_STACK_SIZE = 0
DEVICE_LIMIT_MALLOC_HEAP_SIZE = 2


def rectangle(address, pitch, width, height):
    return b"".join(
        [
            wide(address),
            wide(pitch),
            wide(width),
            wide(height),
        ]
    )


def side(address, pitch):
    return b"".join(
        [
            wide(address),
            wide(pitch),
        ]
    )


def triple(x, y, z):
    return b"".join(
        [
            count(x),
            count(y),
            count(z),
        ]
    )


def image_layout(address, shape, width, height, depth, pitch, slice, channels, bits, format):
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


def sampler_settings(addressing, filter, flags, red, green, blue, alpha):
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


def source_part(name, ptx):
    return b"".join(
        [
            sized(name),
            sized(ptx),
        ]
    )


def hello_request(version):
    return b"".join(
        [
            count(version),
        ]
    )


def allocate_request(bytes, name, where):
    return b"".join(
        [
            wide(bytes),
            sized(name),
            sized(where),
        ]
    )


def free_request(address, where):
    return b"".join(
        [
            wide(address),
            sized(where),
        ]
    )


def write_request(target, offset, where):
    return b"".join(
        [
            rectangle(*target),
            wide(offset),
            sized(where),
        ]
    )


def read_request(source, where):
    return b"".join(
        [
            rectangle(*source),
            sized(where),
        ]
    )


def fill_request(target, value, unit, where):
    return b"".join(
        [
            rectangle(*target),
            count(value),
            count(unit),
            sized(where),
        ]
    )


def copy_request(target, source, width, height, where):
    return b"".join(
        [
            side(*target),
            side(*source),
            wide(width),
            wide(height),
            sized(where),
        ]
    )


def load_request(ptx, cubin):
    return b"".join(
        [
            sized(ptx),
            sized(cubin),
        ]
    )


def launch_request(module, kernel, grid, block, dynamic_shared_bytes, dynamic_shared_limit, flags, where, parameters):
    return b"".join(
        [
            wide(module),
            sized(kernel),
            triple(*grid),
            triple(*block),
            count(dynamic_shared_bytes),
            count(dynamic_shared_limit),
            count(flags),
            sized(where),
            sized(parameters),
        ]
    )


def synchronize_request():
    return b""


def mark_request():
    return b""


def occupancy_request(module, kernel, threads, dynamic_shared_bytes):
    return b"".join(
        [
            wide(module),
            sized(kernel),
            count(threads),
            count(dynamic_shared_bytes),
        ]
    )


def memory_request():
    return b""


def reset_request():
    return b""


def elapsed_request():
    return b""


def limit_request(limit, value):
    return b"".join(
        [
            count(limit),
            wide(value),
        ]
    )


def fetch_request(source, where):
    return b"".join(
        [
            rectangle(*source),
            sized(where),
        ]
    )


def tell_request(message, where):
    return b"".join(
        [
            sized(message),
            sized(where),
        ]
    )


def misuse_request(message, where):
    return b"".join(
        [
            sized(message),
            sized(where),
        ]
    )


def image_request(kind, layout, sampler, where):
    return b"".join(
        [
            count(kind),
            image_layout(*layout),
            b"" if sampler is None else sampler_settings(*sampler),
            sized(where),
        ]
    )


def drop_request(kind, object, where):
    return b"".join(
        [
            count(kind),
            wide(object),
            sized(where),
        ]
    )


def link_request(parts, cubin):
    return b"".join(
        [
            listed([source_part(*one) for one in parts]),
            sized(cubin),
        ]
    )


def turn_request(status, message, where):
    return b"".join(
        [
            count(status),
            sized(message),
            sized(where),
        ]
    )


Attribute = collections.namedtuple(
    "Attribute",
    ["attribute", "value"],
)


def read_attribute(fields) -> Attribute:
    return Attribute(
        fields.count(),
        fields.signed(),
    )


ParameterPlace = collections.namedtuple(
    "ParameterPlace",
    ["offset", "bytes"],
)


def read_parameter_place(fields) -> ParameterPlace:
    return ParameterPlace(
        fields.count(),
        fields.count(),
    )


KernelFacts = collections.namedtuple(
    "KernelFacts",
    ["name", "shared_bytes", "local_bytes", "registers", "max_threads", "parameters"],
)


def read_kernel_facts(fields) -> KernelFacts:
    return KernelFacts(
        fields.text(),
        fields.count(),
        fields.count(),
        fields.count(),
        fields.count(),
        [read_parameter_place(fields) for _ in range(fields.count())],
    )


VariableFacts = collections.namedtuple(
    "VariableFacts",
    ["name", "address", "bytes", "is_constant"],
)


def read_variable_facts(fields) -> VariableFacts:
    return VariableFacts(
        fields.text(),
        fields.wide(),
        fields.wide(),
        fields.count(),
    )


ModuleContent = collections.namedtuple(
    "ModuleContent",
    ["module", "kernels", "variables"],
)


def read_module_content(fields) -> ModuleContent:
    return ModuleContent(
        fields.wide(),
        [read_kernel_facts(fields) for _ in range(fields.count())],
        [read_variable_facts(fields) for _ in range(fields.count())],
    )


LentBuffer = collections.namedtuple(
    "LentBuffer",
    ["address", "bytes"],
)


def read_lent_buffer(fields) -> LentBuffer:
    return LentBuffer(
        fields.wide(),
        fields.wide(),
    )


Word = collections.namedtuple(
    "Word",
    ["value"],
)


def read_word(fields) -> Word:
    return Word(
        fields.wide(),
    )


HelloReply = collections.namedtuple(
    "HelloReply",
    ["version", "flags", "name", "memory_bytes", "window_base", "window_bytes", "attributes"],
)


def read_hello_reply(fields) -> HelloReply:
    return HelloReply(
        fields.count(),
        fields.count(),
        fields.text(),
        fields.wide(),
        fields.wide(),
        fields.wide(),
        [read_attribute(fields) for _ in range(fields.count())],
    )


AllocateReply = collections.namedtuple(
    "AllocateReply",
    ["address"],
)


def read_allocate_reply(fields) -> AllocateReply:
    return AllocateReply(
        fields.wide(),
    )


SynchronizeReply = collections.namedtuple(
    "SynchronizeReply",
    ["printed"],
)


def read_synchronize_reply(fields) -> SynchronizeReply:
    return SynchronizeReply(
        fields.text(),
    )


MarkReply = collections.namedtuple(
    "MarkReply",
    ["wall", "modelled", "sampled"],
)


def read_mark_reply(fields) -> MarkReply:
    return MarkReply(
        fields.wide(),
        fields.wide(),
        fields.wide(),
    )


OccupancyReply = collections.namedtuple(
    "OccupancyReply",
    ["blocks"],
)


def read_occupancy_reply(fields) -> OccupancyReply:
    return OccupancyReply(
        fields.count(),
    )


MemoryReply = collections.namedtuple(
    "MemoryReply",
    ["free", "total"],
)


def read_memory_reply(fields) -> MemoryReply:
    return MemoryReply(
        fields.wide(),
        fields.wide(),
    )


ImageReply = collections.namedtuple(
    "ImageReply",
    ["object"],
)


def read_image_reply(fields) -> ImageReply:
    return ImageReply(
        fields.wide(),
    )


TurnReply = collections.namedtuple(
    "TurnReply",
    ["buffers", "arguments"],
)


def read_turn_reply(fields) -> TurnReply:
    return TurnReply(
        [read_lent_buffer(fields) for _ in range(fields.count())],
        [read_word(fields) for _ in range(fields.count())],
    )
