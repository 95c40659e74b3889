import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defaultTarget } from "../../../server/core/timing/target";
import { composeServices } from "../../../server/host/compose";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-sizes-")));
const services = await composeServices({
  workspaceFolder: folder,
  sessionsFolder: join(folder, "sessions"),
  environment: process.env,
});
afterAll(async () => {
  await services.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const kernel = `
import torch
import triton
import triton.language as tl


@triton.jit
def pick_kernel(table, slots, out, width: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    slot = tl.load(slots + row)
    columns = tl.arange(0, BLOCK)
    inside = (columns < width) & (slot >= 0)
    found = tl.load(table + slot * width + columns, mask=inside, other=0.0)
    tl.store(out + row * width + columns, found, mask=columns < width)


def pick(table, slots):
    out = torch.zeros(slots.numel(), table.shape[1], device=table.device, dtype=table.dtype)
    pick_kernel[(slots.numel(),)](table, slots, out, table.shape[1], triton.next_power_of_2(table.shape[1]))
    return out

`;

/** What is inferred of the kernel from a file with this script. */
async function inferred(name: string, script: string): Promise<object> {
  const file = `${name}.py`;
  writeFileSync(join(folder, file), kernel + script);
  const { spec, unknowns } = await services.specs.infer(
    { file, kernel: "pick_kernel" },
    { target: defaultTarget, signal: new AbortController().signal },
  );
  return {
    call: spec.run.kind === "entry" ? spec.run.entry.call : spec.run.kind,
    inputs: spec.inputs,
    // The first shape is as large as this machine has time for; where that is less, it says so.
    sizes: spec.shapes.filter(({ sizes }) => (sizes["slots_0"] ?? 0) <= 100).map(({ sizes }) => sizes),
    large: spec.shapes.filter(({ sizes }) => (sizes["slots_0"] ?? 0) > 100).length,
    guesses: unknowns.map((text) => text.slice(0, text.indexOf(":"))).filter((path) => path !== "shapes"),
  };
}

test("a call that the file's own script makes is checked with sizes of its own and others", async () => {
  const script = `
def test_pick():
    table = torch.rand(20, 24, device="cuda")
    slots = torch.tensor([3, -1, 7, 3, 0, 19, 2], dtype=torch.int32, device="cuda")
    assert pick(table, slots)[0].equal(table[3])
`;
  expect(await inferred("own_test", script)).toMatchInlineSnapshot(`
    {
      "call": "own_test.py::pick(table, slots)",
      "guesses": [
        "reference",
      ],
      "inputs": {
        "slots": {
          "distribution": {
            "high": "table_0 - 1",
            "kind": "range",
            "low": -1,
          },
          "dtype": "int32",
          "shape": [
            "slots_0",
          ],
        },
        "table": {
          "distribution": "uniform",
          "dtype": "float32",
          "shape": [
            "table_0",
            "table_1",
          ],
        },
      },
      "large": 1,
      "sizes": [
        {
          "slots_0": 7,
          "table_0": 20,
          "table_1": 24,
        },
        {
          "slots_0": 10,
          "table_0": 21,
          "table_1": 26,
        },
        {
          "slots_0": 3,
          "table_0": 10,
          "table_1": 12,
        },
      ],
    }
  `);
});

test("a call with values that no draw gives again is checked as it was", async () => {
  const script = `
if __name__ == "__main__":
    print(pick(torch.rand(20, 24, device="cuda"), torch.tensor([3, 9, 12, 19], device="cuda")))
`;
  expect(await inferred("own_script", script)).toMatchInlineSnapshot(`
    {
      "call": "own_script.py::pick(table, slots)",
      "guesses": [],
      "inputs": {
        "slots": {
          "distribution": {
            "kind": "recorded",
          },
          "dtype": "int64",
          "shape": [
            4,
          ],
        },
        "table": {
          "distribution": {
            "kind": "recorded",
          },
          "dtype": "float32",
          "shape": [
            20,
            24,
          ],
        },
      },
      "large": 0,
      "sizes": [
        {},
      ],
    }
  `);
});
