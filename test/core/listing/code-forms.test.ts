import { expect, test } from "vitest";
import { codeForms } from "../../../server/core/listing";
import { expectCaseText } from "../../harness/cases";
import { readFixture } from "../cubin/fixtures";

const llvm = `; ModuleID = 'x'
define void @scale(ptr %0) !dbg !4 {
  %2 = load float, ptr %0, align 4, !dbg !7, !tbaa !9
  %3 = fmul float %2, 2.0, !dbg !8
  ret void
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "scale.py", directory: "src")
!4 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 3)
!5 = !DIFile(filename: "/usr/standard.py", directory: "")
!6 = distinct !DISubprogram(name: "max", file: !5, line: 1)
!7 = !DILocation(line: 5, column: 3, scope: !4)
!8 = !DILocation(line: 190, column: 3, scope: !6, inlinedAt: !7)
`;

const stages = { llir: llvm, ttgir: "#loc = loc(unknown)\nmodule {\n}", ttir: "module {\n}" };

/** A form with the source lines in front of each of its lines. */
function annotated(form: string): string {
  const cubin = readFixture("triton.sm_80");
  const found = codeForms({ symbol: "softmax_kernel", ptx: "", cubin, stages }).find(
    (each) => each.form === form,
  );
  const lines = (found?.rows ?? []).map(({ text, places }) => {
    const said = places.map(({ file, line }) => `${file.split("/").at(-1)}:${line}`).join(" ");
    return `${said.padEnd(27)}| ${text}`.trimEnd();
  });
  return `${lines.join("\n")}\n`;
}

test("machine code: the schedule in columns, labels, guards, and the line of each instruction", () => {
  expectCaseText("listing/softmax.sass.txt", annotated("sass"));
});

test("LLVM's form: notes are resolved and taken out of the text", () => {
  expect(annotated("llir").trimEnd().split("\n")).toEqual([
    "                           | ; ModuleID = 'x'",
    "                           | define void @scale(ptr %0) {",
    "scale.py:5                 |   %2 = load float, ptr %0, align 4, !tbaa !9",
    "standard.py:190 scale.py:5 |   %3 = fmul float %2, 2.0",
    "                           |   ret void",
    "                           | }",
  ]);
});

test("the machine's own form comes first; without a cubin that can be read it is left out", () => {
  const texts = { symbol: "softmax_kernel", ptx: "", stages };
  const forms = (cubin: Uint8Array): readonly string[] =>
    codeForms({ ...texts, cubin }).map(({ form }) => form);
  expect(forms(readFixture("triton.sm_80"))).toEqual(["sass", "ptx", "llir", "ttgir", "ttir"]);
  expect(forms(new Uint8Array(8))).toEqual(["ptx", "llir", "ttgir", "ttir"]);
});
