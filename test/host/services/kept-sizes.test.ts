import { expect, test } from "vitest";
import type { NewEvent } from "../../../server/core/trajectory/events";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { withKeptSizes } from "../../../server/host/services/memory/kept-sizes";
import type { FoundSpec } from "../../../server/host/services/services";
import { startEvent, withStore } from "../storage/session-fixtures";

/** A spec that was found out, as it stands in a log and as inference gives it. */
function specText(columns: number, more: object = {}): string {
  return JSON.stringify({
    version: 1,
    kernel: "mish.py::mish_kernel",
    entry: { call: "mish.py::mish(x, y)" },
    inputs: { x: { dtype: "float32", shape: ["rows", "columns"] } },
    outputs: { y: { dtype: "float32", shape: ["rows", "columns"] } },
    shapes: [{ sizes: { rows: 1024, columns } }, { sizes: { rows: 65, columns: 34 }, heldOut: true }],
    reference: "baseline",
    objective: "modelled-bound",
    origins: { "entry.call": "probed", shapes: "guessed" },
    ...more,
  });
}

function found(text: string): FoundSpec {
  const parsed = parseKernelSpec(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
  const unknowns = ["entry.call: the dtype of x; the call ran with float32."];
  return {
    spec: parsed.value,
    specPath: "ops/mish.py.kernel.json",
    specFolder: "ops",
    text,
    inferred: true,
    unknowns,
  };
}

const candidate: NewEvent = {
  type: "candidate.created",
  actor: { kind: "engine" },
  data: { candidate: "c1", parent: "baseline", tree: "t", hypothesis: "larger blocks", strategy: "rulebook" },
};

const now = specText(512);

test.each<{
  readonly what: string;
  /** Of the last session; undefined where the kernel has none. */
  readonly then: string | undefined;
  readonly file?: string;
  readonly specPath?: string;
  readonly stored?: boolean;
  readonly columns: number;
  readonly remark?: RegExp;
}>([
  { what: "a kernel without a session", then: undefined, columns: 512 },
  { what: "a session at other sizes", then: specText(256), columns: 256 },
  { what: "a session on a kernel of another file", then: specText(256), file: "ops/other.py", columns: 512 },
  {
    what: "a session by a spec file that is gone",
    then: specText(256),
    specPath: "ops/mish.py.kernel.json",
    columns: 512,
  },
  { what: "a spec file that is there now", then: specText(256), stored: true, columns: 512 },
  {
    what: "a kernel that is called in another way since",
    then: specText(256, { entry: { call: "mish.py::mish(x)" } }),
    columns: 512,
    remark: /another way than in its last session.*rows=1024 columns=256/,
  },
])(
  "sizes of an inferred spec: $what",
  ({ then, file = "ops/mish.py", specPath = "", stored, columns, remark }) =>
    withStore(async (store) => {
      if (then !== undefined) {
        const log = await store.create();
        const started = startEvent("t");
        if (started.type !== "session.started") throw new Error("the first event of a session starts it");
        const task = { ...started.data.task, file, kernel: "mish_kernel", specPath };
        const data = {
          ...started.data,
          task: { ...task, specText: await log.storeText(then, "application/json") },
        };
        await log.append({ ...started, data });
        await log.append(candidate);
        await log.close();
      }
      const inferred = { ...found(now), inferred: stored !== true };
      const specs = { find: () => Promise.resolve(inferred), infer: () => Promise.resolve(inferred) };
      const kept = withKeptSizes(specs, { store, workspaceDigest: "0".repeat(64) });
      const asked = await kept.find();
      expect(asked.spec.shapes[0]?.sizes).toEqual({ rows: 1024, columns });
      // The text is what a session keeps.
      const read = parseKernelSpec(asked.text);
      expect(read.ok && read.value.shapes).toEqual(asked.spec.shapes);
      expect(asked.chosenSizes?.[0]?.sizes).toEqual(
        columns === 512 ? undefined : { rows: 1024, columns: 512 },
      );
      if (remark === undefined) expect(asked.remark).toBeUndefined();
      else expect(asked.remark).toMatch(remark);
    }),
);
