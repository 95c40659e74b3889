import fc from "fast-check";
import { expect, test } from "vitest";
import { Scratch } from "../../../server/core/agent/scratch";
import type { StrategyContext } from "../../../server/core/agent/strategy";
import { readArguments } from "../../../server/core/agent/tools/arguments";
import { edit } from "../../../server/core/agent/tools/files/edit";
import { tools } from "../../../server/core/agent/tools/index";
import { readFile } from "../../../server/core/agent/tools/files/read-file";
import { recall } from "../../../server/core/agent/tools/recall";
import { search } from "../../../server/core/agent/tools/files/search";
import { lookUp } from "../../../server/core/agent/tools/look-up";
import { replaceLines } from "../../../server/core/agent/tools/files/replace-lines";
import { writeFile } from "../../../server/core/agent/tools/files/write-file";
import type { Tool, ToolAnswer, ToolArguments, Workbench } from "../../../server/core/agent/tools/tool";
import { noRules } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";

const source = "int a;\n  int b;\nint c;\n";

function workbench(
  files: Readonly<Record<string, string>>,
  creatable: readonly string[] = [],
): Workbench & { readonly scratch: Scratch } {
  return {
    // These tools look at files only; the tools that look at candidates are played in the conversations of
    // refine.test.ts.
    context: { spec: { dialect: "cuda" } } as StrategyContext,
    files: memoryFiles({ "k.cu": "as on disk\n", "doc.md": "words\n", ...files }),
    rulebook: noRules,
    scratch: new Scratch(
      { "k.cu": source, ...files },
      {
        editable: ["k.cu", ...Object.keys(files)],
        creatable,
      },
    ),
    recall: (call) => Promise.resolve(call === "call_1_1" ? "0123456789".repeat(2000) : undefined),
  };
}

interface ToolCase {
  readonly name: string;
  readonly tool: Tool;
  readonly given: ToolArguments;
  readonly files?: Readonly<Record<string, string>>;
  /** Patterns of new files. */
  readonly creatable?: readonly string[];
  readonly answer: Partial<ToolAnswer>;
  /** Text of k.cu or w.cu afterwards, when it changes. */
  readonly after?: string;
}

/** Paths at which nothing is made, and what the model is told. */
const refusedPaths: readonly (readonly [string, string])[] = [
  ["lib/n.cu", "matches none of src/**"],
  ["src/../n.cu", "no plain path"],
  ["src//n.cu", "no plain path"],
  ["src\\n.cu", "no plain path"],
  ["src/n.cu\u0000", "no plain path"],
  ["/src/n.cu", "no plain path"],
  ["../src/n.cu", "../src/n.cu may not be changed or made"],
  ["doc.md", "doc.md may not be edited"],
  ["src/a.pem", "src/a.pem may not be written"],
  ["kernelwright.json", "kernelwright.json may not be written"],
  ["src/x.cu.kernel.json", "src/x.cu.kernel.json may not be written"],
  ["k.cu/n.cu", "cannot stand beside k.cu"],
];

const windows = { "w.cu": "int a;\r\n  int b;\r\nint c;\r\n" };
const cases: readonly ToolCase[] = [
  {
    name: "edit several lines",
    tool: edit,
    given: { path: "k.cu", old_text: "int a;\n  int b;", new_text: "int d;" },
    answer: { kind: "text", text: "k.cu: replaced at line 1 (2 out, 1 in)." },
    after: "int d;\nint c;\n",
  },
  {
    name: "edit takes text as it is, dollar signs too",
    tool: edit,
    given: { path: "k.cu", old_text: "int c;", new_text: "$& $1" },
    answer: { kind: "text" },
    after: "int a;\n  int b;\n$& $1\n",
  },
  {
    name: "edit deletes",
    tool: edit,
    given: { path: "k.cu", old_text: "  int b;\n", new_text: "" },
    answer: { kind: "text", text: "k.cu: replaced at line 2 (2 out, 0 in)." },
    after: "int a;\nint c;\n",
  },
  {
    name: "edit keeps Windows line ends",
    tool: edit,
    files: windows,
    given: { path: "w.cu", old_text: "int a;\n  int b;", new_text: "int x;\nint y;" },
    answer: { kind: "text" },
    after: "int x;\r\nint y;\r\nint c;\r\n",
  },
  {
    name: "edit shows the lines that differ in white space",
    tool: edit,
    given: { path: "k.cu", old_text: "int a;\nint b;", new_text: "" },
    answer: {
      kind: "error",
      text: "`old_text` differs from k.cu in white space only. The lines as they stand:\n1\tint a;\n2\t  int b;",
    },
  },
  {
    name: "edit shows the nearest lines",
    tool: edit,
    given: { path: "k.cu", old_text: "int b;\nint z;", new_text: "" },
    answer: {
      kind: "error",
      text: "`old_text` is not in k.cu. The nearest lines as they stand:\n2\t  int b;\n3\tint c;",
    },
  },
  {
    name: "edit names the lines of several matches",
    tool: edit,
    given: { path: "k.cu", old_text: "int ", new_text: "" },
    answer: {
      kind: "error",
      text: "`old_text` stands 3 times in k.cu (lines 1, 2, 3). Take in neighbouring lines until it is unique.",
    },
  },
  {
    name: "edit refuses what is not editable",
    tool: edit,
    given: { path: "doc.md", old_text: "words", new_text: "x" },
    answer: { kind: "error", text: "doc.md is not in the scratch copy. Editable: k.cu." },
  },
  {
    name: "a name of CUDA is explained",
    tool: lookUp,
    given: { text: "__syncwarp" },
    answer: { kind: "text", text: expect.stringContaining("__syncwarp(") },
  },
  {
    name: "words find names, the nearest first",
    tool: lookUp,
    given: { text: "xor of lanes in a warp" },
    answer: { kind: "text", text: expect.stringMatching(/__shfl_xor_sync/) },
  },
  {
    name: "an instruction of PTX is explained, whatever its suffixes",
    tool: lookUp,
    given: { text: "cp.async.cg.shared.global" },
    answer: { kind: "text", text: expect.stringMatching(/^cp\.async\.ca.*[^]*From sm_80 on/) },
  },
  {
    name: "what no table has",
    tool: lookUp,
    given: { text: "__make_fast" },
    answer: {
      kind: "error",
      text: 'Nothing is known here of "__make_fast" in cuda or PTX. That says nothing about whether it exists.',
    },
  },
  {
    name: "a file is written whole",
    tool: writeFile,
    given: { path: "k.cu", text: "int z;\n" },
    answer: { kind: "text", text: "k.cu: written, 1 line." },
    after: "int z;\n",
  },
  {
    name: "a file that may not change is not written",
    tool: writeFile,
    given: { path: "new.cu", text: "int z;\n" },
    answer: { kind: "error", text: "new.cu may not be edited. Editable: k.cu." },
  },
  {
    name: "a new file that matches a pattern is made",
    tool: writeFile,
    creatable: ["src/**/*.cu"],
    given: { path: "src/deep/n.cu", text: "int z;\n" },
    answer: { kind: "text", text: "src/deep/n.cu: made, 1 line." },
    after: "int z;\n",
  },
  ...refusedPaths.map(([path, says]): ToolCase => ({
    name: `no new file at ${path}`,
    tool: writeFile,
    creatable: ["src/**", "doc.md", "*.pem", "kernelwright.json", "k.cu/*"],
    given: { path, text: "int z;\n" },
    answer: { kind: "error", text: expect.stringContaining(says) },
  })),
  {
    name: "lines are replaced by their numbers",
    tool: replaceLines,
    given: { path: "k.cu", first_line: 2, last_line: 3, new_text: "int x;\nint y;\nint z;\n" },
    answer: {
      kind: "text",
      text: "k.cu: lines 2 to 3 replaced by 3; lines behind move by 1. It reads now:\n1\tint a;\n2\tint x;\n3\tint y;\n4\tint z;",
    },
    after: "int a;\nint x;\nint y;\nint z;\n",
  },
  {
    name: "lines are inserted, Windows line ends kept",
    tool: replaceLines,
    files: windows,
    given: { path: "w.cu", first_line: 1, last_line: 0, new_text: "int x;" },
    answer: { kind: "text" },
    after: "int x;\r\nint a;\r\n  int b;\r\nint c;\r\n",
  },
  {
    name: "lines beyond the end are refused",
    tool: replaceLines,
    given: { path: "k.cu", first_line: 3, last_line: 9, new_text: "" },
    answer: { kind: "error", text: "k.cu has 3 lines; first_line 3 and last_line 9 are no range of it." },
  },
  {
    name: "read gives the scratch copy before the disk",
    tool: readFile,
    given: { path: "k.cu" },
    answer: { kind: "text", text: "1\tint a;\n2\t  int b;\n3\tint c;" },
  },
  {
    name: "read a range",
    tool: readFile,
    given: { path: "k.cu", first_line: 2, last_line: 2 },
    answer: { kind: "text", text: "2\t  int b;\n(lines 2 to 2 of 3)" },
  },
  {
    name: "read beyond the end",
    tool: readFile,
    given: { path: "k.cu", first_line: 9 },
    answer: { kind: "error", text: "k.cu has 3 lines; first_line 9 is beyond its end." },
  },
  {
    name: "read of a long file stops at 400 lines",
    tool: readFile,
    files: { "long.cu": "x\n".repeat(900) },
    given: { path: "long.cu", first_line: 100 },
    answer: {
      kind: "text",
      text: [
        ...Array.from({ length: 400 }, (_, index) => `${100 + index}\tx`),
        "(lines 100 to 499 of 900)",
      ].join("\n"),
    },
  },
  {
    name: "read of a path with the wrong folder names the right one",
    tool: readFile,
    files: { "src/deep/kernel.cu": "x\n" },
    given: { path: "kernel.cu" },
    answer: {
      kind: "error",
      text: "There is no file kernel.cu. Files there are: src/deep/kernel.cu, doc.md, k.cu.",
    },
  },
  {
    name: "search sees the scratch copy",
    tool: search,
    given: { text: "int b" },
    answer: { kind: "text", text: "k.cu:2: int b;" },
  },
  {
    name: "search in a folder",
    tool: search,
    files: { "src/a.cu": "int b;\n" },
    given: { text: "int b", folder: "./src/" },
    answer: { kind: "text", text: "src/a.cu:1: int b;" },
  },
  {
    name: "search is capped",
    tool: search,
    files: { "many.cu": "hit\n".repeat(200) },
    given: { text: "hit" },
    answer: {
      kind: "text",
      text: [
        ...Array.from({ length: 60 }, (_, index) => `many.cu:${index + 1}: hit`),
        "(there are more; search for a longer piece or in a folder)",
      ].join("\n"),
    },
  },
  {
    name: "search for nothing",
    tool: search,
    given: { text: " " },
    answer: { kind: "error", text: "`text` must be a piece of one line." },
  },
  {
    name: "recall from the middle",
    tool: recall,
    given: { call: "call_1_1", offset: 19_995 },
    answer: { kind: "text", text: "56789" },
  },
  {
    name: "recall in parts",
    tool: recall,
    given: { call: "call_1_1" },
    answer: {
      kind: "text",
      text: `${"0123456789".repeat(1200)}\n(characters 0 to 12000 of 20000; go on with offset 12000)`,
    },
  },
];

for (const { name, tool, given, files = {}, creatable, answer, after } of cases) {
  test(name, async () => {
    const bench = workbench(files, creatable);
    expect(await tool.run(given, bench)).toMatchObject(answer);
    const made = creatable === undefined ? undefined : given["path"];
    const path = String(made ?? (files["w.cu"] === undefined ? "k.cu" : "w.cu"));
    expect(bench.scratch.read(path)).toBe(after ?? files[path] ?? (made === undefined ? source : undefined));
  });
}

test("arguments of any form are read or refused with what was expected, never thrown at", () => {
  const raw = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom("", "{}", "null", '{"path":', '{"path":1}', '{"__proto__":{}}'),
  );
  fc.assert(
    fc.property(raw, fc.constantFrom(...tools), (text, { definition }) => {
      const read = readArguments(text, definition);
      if (!read.ok) expect(read.problem).toContain(`${definition.name} expects {`);
      else for (const name of definition.parameters.required) expect(read.value).toHaveProperty(name);
    }),
  );
});

test("every definition is one that a provider takes", () => {
  for (const { definition } of tools) {
    expect(definition.name).toMatch(/^[a-z_]{3,40}$/);
    expect(definition.description.length).toBeGreaterThan(40);
    for (const name of definition.parameters.required)
      expect(definition.parameters.properties).toHaveProperty(name);
  }
});
