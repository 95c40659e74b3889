import { expect, test } from "vitest";
import { type FileMove, followMoves } from "../../../server/host/services/sources/spec-moves";
import { memoryFiles } from "../../harness/memory-files";

function spec(kernel: string): string {
  return JSON.stringify({ version: 1, kernel, reference: "baseline" });
}

const files = {
  "k/blur.cu.kernel.json": spec("blur.cu::blur"),
  "k/blur.cu.wide.kernel.json": spec("blur.cu::wide"),
  "k/blur.kernel.json": spec("blur.cu::narrow"),
  "k/everything.kernel.json": spec("blur.cu::other"),
  "specs.kernel.json": spec("k/blur.cu::far"),
  "k/taken.cu.kernel.json": spec("gone.cu::gone"),
  "k/ext.py.kernel.json": spec("ext.py.cu::inner"),
  "k/sharp.cu.kernel.json": spec("sharp.cu::sharp"),
};

/** `OLD -> NEW: KERNEL` for each spec that follows. */
async function followed(
  moves: readonly FileMove[],
  unsaved?: Readonly<Record<string, string>>,
): Promise<unknown> {
  const changes = await followMoves(memoryFiles(files), moves, (path) => unsaved?.[path]);
  return changes.map(({ specPath, to, edits }) => [specPath, to, edits.map(({ text }) => text).join()]);
}

test.each([
  {
    what: "a renamed source: specs that are called after it are renamed, the others follow it",
    moves: [{ from: "k/blur.cu", to: "k/soft.cu" }],
    changes: [
      ["k/blur.cu.kernel.json", "k/soft.cu.kernel.json", "soft.cu::blur"],
      ["k/blur.cu.wide.kernel.json", "k/soft.cu.wide.kernel.json", "soft.cu::wide"],
      ["k/blur.kernel.json", "k/soft.kernel.json", "soft.cu::narrow"],
      ["k/everything.kernel.json", "k/everything.kernel.json", "soft.cu::other"],
      ["specs.kernel.json", "specs.kernel.json", "k/soft.cu::far"],
    ],
  },
  {
    what: "the place is taken: the spec keeps its name",
    moves: [{ from: "k/sharp.cu", to: "k/taken.cu" }],
    changes: [["k/sharp.cu.kernel.json", "k/sharp.cu.kernel.json", "taken.cu::sharp"]],
  },
  {
    what: "a source that goes down: the spec goes along",
    moves: [{ from: "k/sharp.cu", to: "k/deep/sharp.cu" }],
    changes: [["k/sharp.cu.kernel.json", "k/deep/sharp.cu.kernel.json", ""]],
  },
  {
    what: "a Python file that holds CUDA",
    moves: [{ from: "k/ext.py", to: "k/own.py" }],
    changes: [["k/ext.py.kernel.json", "k/own.py.kernel.json", "own.py.cu::inner"]],
  },
  {
    what: "a spec that the editor moves by itself",
    moves: [{ from: "k/everything.kernel.json", to: "everything.kernel.json" }],
    changes: [["k/everything.kernel.json", "k/everything.kernel.json", "k/blur.cu::other"]],
  },
  { what: "a file that no spec names", moves: [{ from: "k/new.cu", to: "k/newer.cu" }], changes: [] },
])("$what", async ({ moves, changes }) => {
  expect(await followed(moves)).toEqual(changes);
});

test("what stands in the editor counts more than what is on disk", async () => {
  const open = { "k/sharp.cu.kernel.json": `\n\n${spec("sharp.cu::renamed")}` };
  expect(await followed([{ from: "k/sharp.cu", to: "k/keen.cu" }], open)).toEqual([
    ["k/sharp.cu.kernel.json", "k/keen.cu.kernel.json", "keen.cu::renamed"],
  ]);
});
