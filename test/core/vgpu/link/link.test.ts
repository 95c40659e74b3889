import { expect, test } from "vitest";
import { linkPtx } from "../../../../server/core/vgpu/index";
import { cases } from "./link-cases";
import { head, declared, called, kernel, zeros, parts, outcomeOf } from "./link-modules";

test.each(cases)("$title", ({ parts: texts, outcome }) => {
  expect(outcomeOf(parts(...texts))).toBe(outcome);
});

test("a text that is no PTX is told by its file and line", () => {
  expect(
    outcomeOf([
      { name: "a.cu", ptx: head + kernel(zeros) },
      { name: "b.cu", ptx: `${head}\n.nonsense` },
    ]),
  ).toBe('the PTX of b.cu is not understood on its line 3: unexpected ".nonsense" outside of a function');
});

test("an object without PTX is told by its place when it has no name", () => {
  expect(
    outcomeOf([
      { name: "a.cu", ptx: head + kernel(zeros) },
      { name: "", ptx: "" },
    ]),
  ).toBe(
    "object 2 was compiled without PTX that can be read: give its source, or compile it with -gencode arch=compute_80,code=[compute_80,sm_80] -Xfatbin -compress=false",
  );
});

test("lines keep their files", () => {
  const text = (file: string, body: string): string => `.file 1 "${file}"\n.file 2 "common.h"\n${body}`;
  const linked = linkPtx(
    parts(
      text(
        "/a.cu",
        `${declared("f")}${kernel(`.loc 1 5 1\n${zeros}\n.loc 2 9 1, function_name L, inlined_at 1 5 1\n${called("f", "%r1")}`)}`,
      ),
      text(
        "/b.cu",
        `.visible .func (.param .b32 r) f() { .reg .b32 %r1;\n.loc 1 7 3\nmov.u32 %r1, 1;\n.loc 2 9 2, function_name L, inlined_at 1 7 3\nst.param.b32 [r], %r1; ret; }`,
      ),
    ),
  );
  if (!linked.ok) throw new Error(linked.problem.message);
  const { files, locations, functions } = linked.value;
  const placed = (index: number): string => {
    const location = locations[index];
    if (location === undefined) return "";
    return `${files.get(location.file)}:${location.line}${location.inlinedAt < 0 ? "" : ` in ${placed(location.inlinedAt)}`}`;
  };
  const linesOf = (name: string): readonly string[] => [
    ...new Set(
      functions
        .get(name)
        ?.statements.flatMap((each) =>
          each.kind === "instruction" ? [placed(each.instruction.location)] : [],
        ),
    ),
  ];
  expect({ k: linesOf("k"), f: linesOf("f") }).toEqual({
    k: ["", "/a.cu:5", "common.h:9 in /a.cu:5"],
    f: ["/b.cu:7", "common.h:9 in /b.cu:7"],
  });
});
