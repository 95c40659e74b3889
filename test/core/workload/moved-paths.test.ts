import { expect, test } from "vitest";
import { movedPaths } from "../../../server/core/workload/spec-text/moved-paths";

const spec = `{
  // Comments stay.
  "kernel": "blur.cu::img::blur",
  "entry": { "call": "host/run.cpp::run", "sources": ["blur.cu", "host/util.cpp"] },
  "reference": "ref.py::blur",
  "editable": ["blur.cuh"],
  "program": { "file": "main.cu", "arguments": ["blur.cu"], "compileOptions": ["-O3", "blur.cu"] },
}`;

/** The lines that differ once the changes are made, trimmed; undefined where the move cannot be said. */
function changed(
  text: string,
  folders: readonly [from: string, to: string],
  moves: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const [fromFolder, toFolder] = folders;
  const edits = movedPaths(text, { fromFolder, toFolder, moved: (path) => moves[path] ?? path });
  if (edits === undefined) return undefined;
  const after = [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((all, { span, text: now }) => all.slice(0, span.start) + now + all.slice(span.end), text);
  const before = text.split("\n");
  return after
    .split("\n")
    .filter((line, index) => line !== before[index])
    .map((line) => line.trim());
}

interface MoveCase {
  readonly what: string;
  readonly folders: readonly [from: string, to: string];
  readonly moves: Readonly<Record<string, string>>;
  readonly lines: readonly string[] | undefined;
}

test.each<MoveCase>([
  {
    what: "a source is renamed: everything but the program's own arguments follows",
    folders: ["k", "k"],
    moves: { "k/blur.cu": "k/soft.cu" },
    lines: [
      '"kernel": "soft.cu::img::blur",',
      '"entry": { "call": "host/run.cpp::run", "sources": ["soft.cu", "host/util.cpp"] },',
      '"program": { "file": "main.cu", "arguments": ["blur.cu"], "compileOptions": ["-O3", "soft.cu"] },',
    ],
  },
  {
    what: "a reference is renamed, its name with a quote in it",
    folders: ["", ""],
    moves: { "ref.py": 'b/"ref".py' },
    lines: ['"reference": "b/\\"ref\\".py::blur",'],
  },
  { what: "a file of another folder", folders: ["k", "k"], moves: { "blur.cu": "soft.cu" }, lines: [] },
  {
    what: "a file leaves the spec's folder",
    folders: ["k", "k"],
    moves: { "k/blur.cu": "blur.cu" },
    lines: undefined,
  },
  {
    what: "the spec goes along, and leaves its other files behind",
    folders: ["k", "k/sub"],
    moves: { "k/blur.cu": "k/sub/blur.cu" },
    lines: undefined,
  },
])("$what", ({ folders, moves, lines }) => {
  expect(changed(spec, folders, moves)).toEqual(lines);
});

test("a spec goes up with its file and names what it leaves behind from there", () => {
  const text = '{ "kernel": "blur.cu::blur", "reference": "ref.py::blur", "editable": [] }';
  expect(changed(text, ["k/sub", "k"], { "k/sub/blur.cu": "k/blur.cu" })).toEqual([
    '{ "kernel": "blur.cu::blur", "reference": "sub/ref.py::blur", "editable": [] }',
  ]);
});

test("the source that includes a kernel's file is followed", () => {
  const text = '{ "kernel": "blur.cuh::blur", "launch": { "includedBy": "main.cu" } }';
  expect(changed(text, ["k", "k"], { "k/main.cu": "k/run.cu" })).toEqual([
    '{ "kernel": "blur.cuh::blur", "launch": { "includedBy": "run.cu" } }',
  ]);
});

test("a text that is no JSON names nothing", () => {
  expect(movedPaths("", { fromFolder: "", toFolder: "", moved: (path) => path })).toEqual([]);
});
