import torch
import triton
import triton.language as tl

@triton.jit
def dense_kernel(x, weight, scales, shift, out, inputs, outputs, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    places = tl.arange(0, BLOCK)
    inside = places < inputs
    values = tl.load(x + row * inputs + places, mask=inside, other=0.0)
    weights = tl.load(weight + column * inputs + places, mask=inside, other=0).to(tl.float32)
    total = tl.sum(values * weights, axis=0) * tl.load(scales + column) + tl.load(shift + column)
    tl.store(out + row * outputs + column, total)


class Dense(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.inputs, self.outputs = inputs, outputs
        self.register_buffer("weight", torch.zeros((outputs, inputs), dtype=torch.int8))
        self.register_buffer("scales", torch.zeros(outputs))
        self.register_buffer("shift", torch.arange(outputs, dtype=torch.float32))
        self.register_buffer("uses", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        rows, _ = x.shape
        out = torch.empty((rows, self.outputs), device=x.device)
        block = triton.next_power_of_2(self.inputs)
        grid = (rows, self.outputs)
        dense_kernel[grid](x, self.weight, self.scales, self.shift, out, self.inputs, self.outputs, BLOCK=block)
        return out
