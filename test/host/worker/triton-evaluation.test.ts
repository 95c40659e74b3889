import { describe, expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile, summary } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 10, compileSeconds: 60 } });

const spec: KernelSpec = {
  file: "scale.py",
  kernel: "scale_kernel",
  dialect: "triton",
  run: {
    kind: "entry",
    entry: { call: "scale.py::scale", arguments: ["x", { value: 3, dtype: "float32" }] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 500 } }],
  reference: { kind: "callable", callable: "reference.py::scale" },
  objective: "modelled-bound",
};

const head = `import os, sys
import torch, triton
import triton.language as tl
`;
const kernel = `
@triton.jit
def scale_kernel(x, y, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, factor * tl.load(x + at, mask=at < n) + 1.0, mask=at < n)
`;
const wrapper = `
def scale(x, factor):
    assert x.is_cuda
    y = torch.empty(x.shape, device="cuda", dtype=x.dtype)
    scale_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel(), factor, BLOCK=128)
    return y
`;
const right = head + kernel + wrapper;
const reference = "def scale(x):\n    return 3 * x + 1\n";

async function check(candidate: string, changes: Partial<KernelSpec> = {}): Promise<unknown> {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...changes },
    baseline: { "scale.py": right, "reference.py": reference },
    candidate: { "scale.py": candidate },
    checkOnly: true,
  });
  return summary(checked);
}

const passed = [
  { sizes: { n: 500 }, passed: true },
  { sizes: { n: 500 }, passed: true },
];

test("a right kernel passes, with facts, counters on its lines and a bound", async () => {
  const { compiled, checked, listings } = await evaluate(under.evaluator, {
    spec,
    baseline: { "scale.py": right, "reference.py": reference },
    listed: { file: "scale.py", first: 8, last: 8 },
  });
  expect(listings).toEqual([
    expect.arrayContaining([expect.stringMatching(/ld\.global\.b32 /)]),
    expect.arrayContaining([expect.stringMatching(/LDG, 4 bytes a lane/)]),
    expect.arrayContaining([expect.stringMatching(/tt\.load .*#blocked>$/)]),
  ]);
  expect(compiled).toMatchObject({
    kind: "compiled",
    facts: [{ kernel: "scale_kernel", architecture: "sm_80", threadsPerBlock: 128, spillStoreBytes: 0 }],
    diagnostics: [],
  });
  expect(summary(checked)).toEqual(passed);
  expect(checked).toMatchObject({
    counters: {
      lines: [
        { line: 6 },
        { line: 7 },
        { file: "scale.py", line: 8, globalLoadSectors: 63, globalStoreSectors: 63 },
      ],
    },
    bound: { binding: "latency" },
  });
});

describe("launches of every kind", () => {
  test("autotune takes its first configuration, heuristics are computed", async () => {
    const tuned = kernel
      .replace(
        "@triton.jit",
        `@triton.autotune(configs=[triton.Config({"BLOCK": 256}, num_warps=2), triton.Config({"BLOCK": 64})], key=["n"])\n@triton.heuristics({"EVEN": lambda a: a["n"] % 2 == 0})\n@triton.jit`,
      )
      .replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, EVEN: tl.constexpr");
    const { compiled, checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.py": head + tuned + wrapper.replace(", BLOCK=128", ""), "reference.py": reference },
    });
    expect(compiled).toMatchObject({
      kind: "compiled",
      facts: [{ threadsPerBlock: 64 }],
      diagnostics: [
        {
          severity: "information",
          message: expect.stringMatching(
            /^autotune of scale_kernel took its first configuration: BLOCK: 256, num_warps: 2/,
          ) as string,
        },
      ],
    });
    expect(summary(checked)).toEqual(passed);
  });
  test("two launches that depend on each other, and an output that is an argument", async () => {
    const twice = `${head}${kernel}
def scale(x, factor, y):
    between = torch.empty_like(x)
    scale_kernel[(4,)](x, between, x.numel(), factor, BLOCK=128)
    scale_kernel[(4,)](between, y, x.numel(), 1.0, BLOCK=128)
`;
    const run = {
      kind: "entry" as const,
      entry: { call: "scale.py::scale", arguments: ["x", { value: 3, dtype: "float32" as const }, "y"] },
    };
    expect(
      await check(twice, { run, reference: { kind: "expression", expressions: { y: "3 * x + 2" } } }),
    ).toEqual(passed);
  });
  test("an operator that the candidate registers for CUDA", async () => {
    const registered = `lib = torch.library.Library("own", "FRAGMENT")\nlib.define("scale(Tensor x, float factor) -> Tensor")\nlib.impl("scale", scale, "CUDA")\nscale = torch.ops.own.scale\n`;
    expect(await check(right + registered)).toEqual(passed);
  });
  test("a candidate whose kernel has another name", async () => {
    expect(await check(right.replaceAll("scale_kernel", "times_kernel"))).toEqual(passed);
  });
});

describe("what a candidate does wrong is told", () => {
  test("a wrong value, and who wrote it", async () => {
    const candidate = right.replace("+ 1.0", "+ tl.where(at == 300, 2.0, 1.0)");
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.py": right, "reference.py": reference },
      candidate: { "scale.py": candidate },
      checkOnly: true,
    });
    expect(summary(checked)).toEqual(
      Array(2).fill({
        sizes: { n: 500 },
        passed: false,
        mismatch: { output: "y", index: [300], wrong: 1, total: 500 },
      }),
    );
    expect(checked).toMatchObject({
      cases: Array(2).fill({ mismatch: { writer: { file: "scale.py", line: 8, block: [2, 0, 0] } } }),
    });
  });
  test("a read of what torch.empty gave out, and of an output that was passed in", async () => {
    const reading = right.replace(
      "+ 1.0, mask",
      "+ 1.0 + tl.where(tl.load(y + at, mask=at < n) > 5.0, 1.0, 0.0), mask",
    );
    const found = [
      { passed: false, findings: [{ kind: "uninitialized-read", file: "scale.py", line: 8, count: 500 }] },
      { passed: true },
    ];
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.py": right, "reference.py": reference },
      candidate: { "scale.py": reading },
      checkOnly: true,
    });
    expect(checked).toMatchObject({ cases: found });
    const run = {
      kind: "entry" as const,
      entry: { call: "scale.py::scale", arguments: ["x", { value: 3, dtype: "float32" as const }, "y"] },
    };
    const passedIn = (text: string): string =>
      text
        .replace("def scale(x, factor):", "def scale(x, factor, y):")
        .replace('    y = torch.empty(x.shape, device="cuda", dtype=x.dtype)\n', "")
        .replace("    return y\n", "");
    const other = await evaluate(under.evaluator, {
      spec: { ...spec, run },
      baseline: { "scale.py": passedIn(right), "reference.py": reference },
      candidate: { "scale.py": passedIn(reading) },
      checkOnly: true,
    });
    expect(other.checked).toMatchObject({ cases: found });
  });
  test("an output of torch.empty that was not written whole", async () => {
    const shorter = right.replace("mask=at < n)\n", "mask=at < n - 3)\n");
    expect(await check(shorter)).toMatchObject(
      Array(2).fill({
        passed: false,
        findings: [
          {
            kind: "never-written",
            line: 0,
            message: "3 of 500 elements of y were never written, the first is element 497",
          },
        ],
      }),
    );
  });
  test("what torch.empty gave out and the host has filled is written, whatever the value is", async () => {
    const filled = (fill: string): string =>
      right
        .replace(
          "factor * tl.load(x + at, mask=at < n) + 1.0",
          "tl.load(x + at, mask=at < n) * factor + tl.load(y + at, mask=at < n).to(tl.float32) + 1.0",
        )
        .replace("dtype=x.dtype)", `dtype=torch.int8)${fill}`)
        .replace("x.numel(), factor, BLOCK=128)\n", "x.numel(), factor, BLOCK=128)\n    return result\n")
        .replace("def scale_kernel(x, y, n", "def scale_kernel(x, y, result, n")
        .replace("tl.store(y + at", "tl.store(result + at")
        .replace("](x, y, x.numel()", "](x, y, result, x.numel()")
        .replace("    y = torch.empty", "    result = torch.empty_like(x)\n    y = torch.empty");
    const changes: Partial<KernelSpec> = {
      reference: { kind: "expression", expressions: { y: "3 * x - 90" } },
    };
    for (const fill of [".fill_(-91)", "\n    y[:] = -91", "\n    y.numpy()[:] = -91"])
      expect(await check(filled(fill), changes)).toEqual(passed);
    expect(await check(filled(""), changes)).toMatchObject([
      { passed: false, findings: [{ kind: "uninitialized-read", line: 8 }] },
      {},
    ]);
  });
  test("out of bounds, with the line", async () => {
    expect(await check(right.replace(", mask=at < n)\n", ")\n"))).toMatchObject({
      kind: "did-not-run",
      findings: [
        {
          kind: "out-of-bounds",
          file: "scale.py",
          line: 8,
          message: expect.stringContaining('behind the end of "y"') as string,
        },
      ],
    });
  });
  const load = "tl.load(x + at, mask=at < n)";
  const assembly = `tl.inline_asm_elementwise("widened.f32 $0, $1;", "=r,r", [${load}], tl.float32, True, 1)`;
  const unassembled = right.replace(load, assembly);
  test.each([
    ["Triton's", right.replace("factor * tl", "missing * tl"), "missing is not defined", "triton"],
    ["the assembler's", unassembled, "Not a name of any known instruction: 'widened'", "ptxas"],
  ])("an error of a compiler stands on its line: %s", async (_, candidate, said, source) => {
    const { compiled } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.py": right, "reference.py": reference },
      candidate: { "scale.py": candidate },
    });
    const message = expect.stringContaining(said) as string;
    const told = compiled.kind === "did-not-compile" ? compiled.diagnostics : [];
    expect(told[0]).toMatchObject({ file: "scale.py", line: 8, source, message });
  });
  test("an autotuner passes over a configuration that cannot be assembled", async () => {
    const tuner = `@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 32})], key=["n"])\n@triton.jit`;
    const choosing = unassembled.replace(assembly, `(${assembly} if BLOCK == 64 else ${load})`);
    expect(await check(choosing.replace("@triton.jit", tuner).replace(", BLOCK=128", ""))).toEqual(passed);
  });
  test("a syntax error and an exception stand on their lines", async () => {
    const given = { spec, baseline: { "scale.py": right, "reference.py": reference } };
    expect(
      (
        await evaluate(under.evaluator, {
          ...given,
          candidate: { "scale.py": right.replace("y = torch", "y = = torch") },
        })
      ).compiled,
    ).toMatchObject({ kind: "did-not-compile", diagnostics: [{ file: "scale.py", line: 12 }] });
    expect(await check(right.replace("    return y", "    raise ValueError('no')"))).toMatchObject({
      kind: "did-not-run",
      reason: "scale.py:14: ValueError: no (in scale: raise ValueError('no'))",
    });
  });
});

describe("a cheating candidate does not win", () => {
  const decoy = (body: string): string =>
    `${head}${kernel}\ndef scale(x, factor):\n${body
      .split("\n")
      .map((line) => `    ${line}`)
      .join("\n")}\n`;
  test("torch does the work and nothing is launched", async () => {
    expect(await check(decoy("return factor * x + 1"))).toEqual({
      kind: "did-not-run",
      reason: "the entry scale.py::scale launched no kernel",
      findings: [],
    });
  });
  test("torch does the work and the kernel is launched on a crumb", async () => {
    expect(
      await check(
        decoy(
          "crumb = torch.zeros(128)\nscale_kernel[(1,)](crumb, crumb, 128, factor, BLOCK=128)\nreturn factor * x + 1",
        ),
      ),
    ).toMatchObject({
      kind: "did-not-run",
      reason: expect.stringContaining("not memory that a kernel was given") as string,
    });
  });
  test("torch does the work and the kernel copies it", async () => {
    const copy = decoy(
      "answer = factor * x + 1\ny = torch.empty_like(x)\nscale_kernel[(4,)](answer, y, x.numel(), factor, BLOCK=128)\nreturn y",
    ).replace("factor * tl.load(x + at, mask=at < n) + 1.0", "tl.load(x + at, mask=at < n)");
    expect(await check(copy)).toMatchObject([
      { passed: false, findings: [{ kind: "host-computed" }] },
      { passed: false },
    ]);
  });
  test("torch does most of the work and the kernel the rest", async () => {
    const rest = decoy(
      "most = factor * x\ny = torch.empty_like(x)\nscale_kernel[(4,)](most, y, x.numel(), 1.0, BLOCK=128)\nreturn y",
    );
    expect(await check(rest)).toMatchObject([
      {
        passed: false,
        findings: [{ kind: "host-computed", message: expect.stringContaining("2000 bytes") as string }],
      },
      { passed: false },
    ]);
  });
  test("torch writes the answer where the kernel should have", async () => {
    const prefilled = decoy("y = factor * x + 1\nscale_kernel[(4,)](x, y, 0, factor, BLOCK=128)\nreturn y");
    expect(await check(prefilled)).toMatchObject([
      { passed: false, findings: [{ kind: "host-computed" }] },
      { passed: false },
    ]);
  });
  test("torch hides the answer in a larger buffer", async () => {
    const hidden = decoy(
      "n = x.numel()\nroom = torch.zeros(2 * n)\nroom[:n] = factor * x + 1\nscale_kernel[(4,)](x, room, 0, factor, BLOCK=128)\nreturn room[:n]",
    );
    const found = [
      {
        passed: false,
        findings: [
          { kind: "host-computed", message: expect.stringContaining("handed the answer") as string },
        ],
      },
      { passed: false },
    ];
    expect(await check(hidden)).toMatchObject(found);
    // It is told of the user's own file too, where there is no other version to compare the host's work with.
    const { checked } = await evaluate(under.evaluator, {
      spec,
      baseline: { "scale.py": hidden, "reference.py": reference },
      checkOnly: true,
    });
    expect(summary(checked)).toMatchObject(found);
  });
  test("fake protocol lines on every descriptor", async () => {
    const lines = decoy(`y = torch.empty_like(x)
scale_kernel[(1,)](x, y, 1, factor, BLOCK=128)
fake = b'{"id":2,"result":{"returned":[]},"frames":[]}\\n' * 3
print(fake.decode())
for descriptor in range(64):
    try: os.write(descriptor, fake)
    except OSError: pass
return y`);
    expect(await check(lines)).not.toEqual(passed);
    expect(await check(right)).toEqual(passed);
  });
  test.each([
    ["leaves at once", "os._exit(0)"],
    ["leaves politely", "sys.exit(0)"],
    ["forks and leaves", "if os.fork() == 0: os.setsid()\nos._exit(0)"],
    ["kills its parent", "os.kill(os.getppid(), 9)\nos._exit(0)"],
  ])("%s", async (_name, body) => {
    expect(await check(decoy(body))).toMatchObject({ kind: "did-not-run" });
  });
  test("looks for the oracle and the network, and replaces the comparison", async () => {
    const spy = right
      .replace(
        "    assert x.is_cuda\n",
        `    assert x.is_cuda
    torch.allclose = lambda *_, **__: True
    import glob, socket
    seen = [open(path, "rb").read() for path in glob.glob("/proc/[0-9]*/cmdline")]
    assert not any(b"oracle" in line for line in seen), "sees the oracle"
    assert not os.path.exists("reference.py") and not glob.glob("**/reference.py", recursive=True), "sees the reference"
    try:
        socket.create_connection(("127.0.0.1", 22), timeout=0.2)
        raise RuntimeError("has a network")
    except OSError:
        pass
    assert not [name for name in os.environ if "KEY" in name or "TOKEN" in name or "KERNELWRIGHT" in name], "sees secrets"
`,
      )
      .replace("+ 1.0", "+ 2.0");
    expect(await check(spy)).toMatchObject([{ passed: false, mismatch: { wrong: 500 } }, { passed: false }]);
  });
});
