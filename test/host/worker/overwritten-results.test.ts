import { expect, test } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 10, compileSeconds: 60 } });

const spec: KernelSpec = {
  file: "scale.py",
  kernel: "scale_kernel",
  dialect: "triton",
  run: { kind: "entry", entry: { call: "scale.py::scale", arguments: ["x"] } },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 500 } }],
  reference: { kind: "expression", expressions: { y: "3 * x" } },
  objective: "modelled-bound",
};

const kernel = `import torch, triton
import triton.language as tl

held = {}

@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 3.0 * tl.load(x + at, mask=at < n), mask=at < n)

def fill(x, y):
    scale_kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
    return y

`;
const fresh = `def scale(x):
    return fill(x, torch.empty_like(x))
`;
const shared = `def scale(x):
    if x.shape not in held:
        held[x.shape] = torch.empty_like(x)
    return fill(x, held[x.shape])
`;
const inTurn = `def scale(x):
    turn = held["turn"] = held.get("turn", 0) + 1
    key = (x.shape, turn % 2)
    if key not in held:
        held[key] = torch.empty_like(x)
    return fill(x, held[key])
`;
const partOfOne = `def scale(x):
    n = x.numel()
    if held.get("memory") is None or held["memory"].numel() < n:
        held["memory"] = torch.empty(1 << 17, dtype=x.dtype, device=x.device)
    return fill(x, held["memory"][:n])
`;
const scratch = `def scale(x):
    if x.shape not in held:
        held[x.shape] = torch.empty_like(x)
    fill(x, held[x.shape])
    return fill(x, torch.empty_like(x))
`;
const inPlace = `def scale(x):
    return fill(x, x)
`;

interface Version {
  readonly candidate: string;
  readonly baseline: string;
  readonly changes?: Partial<KernelSpec>;
}

/** Kinds of what was found in the cases that failed. */
async function check({ candidate, baseline, changes }: Version): Promise<unknown> {
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, ...changes },
    baseline: { "scale.py": kernel + baseline },
    candidate: { "scale.py": kernel + candidate },
    tier: "full",
  });
  if (checked.kind !== "checked") return checked;
  return checked.cases.flatMap(({ passed, findings }) => (passed ? [] : findings.map(({ kind }) => kind)));
}

const changed: Partial<KernelSpec> = {
  run: { kind: "entry", entry: { call: "scale.py::scale", arguments: ["x"] } },
  outputs: { x: { dtype: "float32", shape: ["n"] } },
  reference: { kind: "expression", expressions: { x: "3 * x" } },
};

test.each([
  ["one tensor for each shape", { candidate: shared, baseline: fresh }, ["overwrites-results"]],
  ["two tensors in turn", { candidate: inTurn, baseline: fresh }, ["overwrites-results"]],
  ["places of one memory", { candidate: partOfOne, baseline: fresh }, ["overwrites-results"]],
  ["one tensor, as the kernel as it was returns", { candidate: shared, baseline: partOfOne }, []],
  ["memory of its own beside what it returns", { candidate: scratch, baseline: fresh }, []],
  ["its input, which it fills", { candidate: inPlace, baseline: inPlace, changes: changed }, []],
])("a version that returns %s", async (_, version, found) => {
  expect(await check(version)).toEqual(found);
});
