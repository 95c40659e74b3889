"""A program as it is written for a GPU: tensors on `cuda`, a module that is trained, generators, streams, pinned memory."""
import copy
import io

import torch
import torch.nn.functional as F

import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, size, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * factor, mask=mask)


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(context, x, factor):
        assert x.is_cuda and x.is_contiguous()
        context.factor, out = factor, torch.empty_like(x)
        with torch.cuda.device(x.device):
            scale_kernel[(triton.cdiv(x.numel(), 64), )](x, out, x.numel(), factor, BLOCK=64)
        return out

    @staticmethod
    def backward(context, gradient):
        return Scale.apply(gradient.contiguous(), context.factor), None


def refused(does):
    try:
        does()
    except (RuntimeError, TypeError) as error:
        return str(error).split("\n")[0]
    return "nothing was refused"


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(3, 5, device=device, requires_grad=True)
y = Scale.apply(x, 2.0)
y.sum().backward()
print(y.device, y.is_cuda, torch.equal(y, x * 2), x.grad)
print(torch.arange(6, device="cuda:0").view(2, 3).T.contiguous(), torch.ones(2).cuda().cpu())

# Views share memory; kernels and torch see each other's writes.
grid = torch.zeros(4, 4, device="cuda")
grid[1:3, ::2] = 5
grid.T[3] = torch.arange(4.0, device="cuda")
scale_kernel[(1, )](grid[1], grid[0], 4, 3.0, BLOCK=64)
print(grid, grid[grid > 4].tolist(), grid.data_ptr() == grid.view(-1).data_ptr(), grid.untyped_storage().nbytes())
print(torch.add(grid, 1, out=torch.empty(0, device="cuda")).sum().item(), torch.cat([grid, grid]).shape, grid.to(torch.float16).sum())

# Within inference mode, too, what was made outside keeps its views, and what is made within has some.
with torch.inference_mode():
    column, inside = torch.arange(3.0, device="cuda").unsqueeze(1), torch.zeros(2, 3, device="cuda")
    inside.T[1] = grid.squeeze(0)[0, :2]
    print("inference", column.squeeze(1).is_inference(), grid.view(16).is_inference(), inside.tolist(), x.detach().T.shape)
print("after inference", (inside.view(-1) + 1).sum().item(), grid.narrow(0, 0, 1).add_(0).shape)

# The state of a generator is its seed and how far it has come; each operation goes on from there.
torch.cuda.manual_seed(3)
state, (first, second) = torch.cuda.get_rng_state(), [torch.randn(4, device="cuda") for _ in range(2)]
print(state.view(torch.int64).tolist(), torch.cuda.get_rng_state().view(torch.int64).tolist(), torch.equal(first, second))
torch.cuda.set_rng_state(state)
other = torch.Generator(device="cuda").manual_seed(3)
print([torch.equal(one, torch.randn(4, device="cuda", generator=each)) for each in (None, other) for one in (first, second)])
print(refused(lambda: torch.cuda.set_rng_state(torch.get_rng_state())))

# A model of convolutions, recurrent cells, attention and a norm learns.
torch.cuda.manual_seed_all(1)
convolution = torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3, padding=1, groups=2), torch.nn.BatchNorm2d(4), torch.nn.Flatten(2)).cuda()
recurrent, norm = torch.nn.LSTM(16, 8, batch_first=True).cuda(), torch.nn.LayerNorm(8).to("cuda")
parameters = [each for module in (convolution, recurrent, norm) for each in module.parameters()]
optimizer, images = torch.optim.AdamW(parameters, lr=0.02), torch.randn(4, 2, 4, 4, device="cuda")
losses = []
for _ in range(12):
    optimizer.zero_grad(set_to_none=True)
    hidden, _ = recurrent(convolution(images))
    seen = F.scaled_dot_product_attention(*[norm(hidden).unsqueeze(1)] * 3, is_causal=True)
    loss = F.cross_entropy(seen[:, 0, -1], torch.tensor([1, 2, 3, 4], device="cuda"))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
    losses.append(loss.item())
print("learns", losses[-1] < losses[0] / 2, all(each.grad.is_cuda for each in parameters), copy.deepcopy(norm).weight.device)
with torch.autocast("cuda", dtype=torch.float16):
    print("autocast", (images.flatten(1) @ images.flatten(1).T).dtype)

# Halves are computed as a GPU computes them: in float32, rounded once.
a, b = torch.randn(64, 96, device="cuda").half(), torch.randn(96, 64, device="cuda").half()
print("halves", torch.equal(a @ b, (a.double() @ b.double()).float().half()) or (a @ b - (a.double() @ b.double()).half()).abs().max().item() < 0.02,
      torch.equal(F.softmax(a, -1), F.softmax(a.float(), -1).half()), F.softmax(a, -1, dtype=torch.float32).dtype,
      torch.equal(F.layer_norm(a, (96, )), F.layer_norm(a.float(), (96, )).half()))

# Random numbers have a state of their own.
generator = torch.Generator(device="cuda").manual_seed(7)
first = torch.rand(4, device="cuda", generator=generator)
print("generator", generator.device, torch.equal(first, torch.rand(4, device="cuda", generator=generator.manual_seed(7))))
state, drawn = torch.cuda.get_rng_state(), torch.randn(4, device="cuda")
torch.randn(100)
torch.cuda.set_rng_state(state)
print("state", torch.equal(drawn, torch.randn(4, device="cuda")), torch.randperm(3, device="cuda").sum().item())

# What surrounds them.
pinned = torch.ones(3).pin_memory()
stream = torch.cuda.Stream(priority=-1)
with torch.cuda.stream(stream):
    moved = pinned.to("cuda", non_blocking=True)
moved.record_stream(stream)
stream.wait_stream(torch.cuda.current_stream())
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
scale_kernel[(1, )](moved, moved, 3, 2.0, BLOCK=64)
end.record()
torch.cuda.synchronize()
print("pinned", pinned.is_pinned(), torch.ones(1).is_pinned(), moved.tolist(), start.elapsed_time(end) > 0)
before = torch.cuda.memory_allocated()
block = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
print("memory", torch.cuda.memory_allocated() - before, torch.cuda.mem_get_info()[1] >> 30, torch.cuda.device_count(), torch.cuda.current_device())
file = io.BytesIO()
torch.save({"grid": grid}, file)
file.seek(0)
loaded = torch.load(file)["grid"]
print("saved", loaded.device, torch.equal(loaded, grid), torch.load(io.BytesIO(file.getvalue()), map_location="cpu")["grid"].device)
torch.testing.assert_close(loaded, grid)
with torch.device("cuda"):
    print("default", torch.ones(2).device, torch.tensor([1]).is_cuda)
print(triton.runtime.driver.active.get_active_torch_device(), torch.accelerator.current_accelerator(), torch.version.cuda is not None)
print(refused(lambda: torch.ones(2, 2, device="cuda") @ torch.ones(2, 2)))
print(refused(lambda: grid + torch.ones(4)))
print(refused(lambda: grid.numpy()))
print(refused(lambda: torch.ones(1, device="cuda:1")))
