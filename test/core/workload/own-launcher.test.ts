import { expect, test } from "vitest";
import { hasLauncher, ownLauncherOf } from "../../../server/core/workload/own-launcher";
import type { KernelSpec } from "../../../server/core/workload/spec";

/** The launcher of a spec with such an entry: its call and its text. */
function check(call: string, origin: "probed" | undefined): readonly string[] | undefined {
  const origins = origin === undefined ? {} : { "entry.call": origin };
  const run = { kind: "entry", entry: { call, arguments: [] } };
  const found = ownLauncherOf({ run, origins } as unknown as KernelSpec);
  return found && [found.call, found.definition];
}

test.each([
  [
    "a launch over sizes",
    "a/k.py::scale[(triton.cdiv(n, 64), rows,)](x, y, n, 2.5, BLOCK=64, num_warps=4)",
    "probed",
    [
      "a/k.py::launch_scale(n, rows, x, y)",
      "def launch_scale(n, rows, x, y):\n    scale[(triton.cdiv(n, 64), rows,)](x, y, n, 2.5, BLOCK=64, num_warps=4)\n",
    ],
  ],
  [
    "a launch of an autotuned kernel",
    "k.py::scale[lambda META: (triton.cdiv(n, META['BLOCK']),)](x, n)",
    "probed",
    [
      "k.py::launch_scale(n, x)",
      "def launch_scale(n, x):\n    scale[lambda META: (triton.cdiv(n, META['BLOCK']),)](x, n)\n",
    ],
  ],
  ["a launch that the user wrote", "k.py::scale[(n,)](x, n)", undefined, undefined],
  ["a function that launches", "k.py::run(x, n)", "probed", undefined],
] as const)("%s", (_, call, origin, expected) => {
  expect(check(call, origin)).toEqual(expected);
});

test("a source has the launcher where it can be called so", () => {
  const spec = {
    run: { kind: "entry", entry: { call: "k.py::scale[(n,)](x, n)", arguments: [] } },
    origins: { "entry.call": "probed" },
  };
  const launcher = ownLauncherOf(spec as unknown as KernelSpec);
  if (launcher === undefined) throw new Error("the spec launches the kernel itself");
  const found = [launcher.definition, "def launch_scale(x):\n    pass\n", undefined].map((source) =>
    hasLauncher(source, launcher),
  );
  expect(found).toEqual([true, false, false]);
});
