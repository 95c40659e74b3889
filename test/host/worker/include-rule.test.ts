import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addedReaders } from "../../../server/host/worker/compile/include-rule";

const baseline = {
  "k.cu": '#include "three.cuh"\n#include <cuda_fp16.h>\n#include HEADER\n__global__ void k() {}\n',
};

describe("what a candidate adds to the ways in which its baseline reads files", () => {
  test.each([
    ["nothing, when it is the baseline", baseline["k.cu"], []],
    ["nothing, when the includes stay", '#include "three.cuh"\n__global__ void k() { return; }\n', []],
    ["nothing, with other spaces", '#include   "three.cuh"\n', []],
    ["an include", '#include "/etc/passwd"\n', ['#include "/etc/passwd"']],
    ["an include of what lies above", '# include "../key"\n', ['# include "../key"']],
    ["an include by a macro, though the baseline has one", "#include HEADER\n", ["#include HEADER"]],
    ["behind a comment", '#/* x */include "/etc/passwd"\n', ['#/* x */include "/etc/passwd"']],
    ["over lines", '#inc\\\nlude "/etc/passwd"\n', ['#include "/etc/passwd"']],
    ["over Windows lines", '#inc\\\r\nlude "/etc/passwd"\r\n', ['#include "/etc/passwd"']],
    ["as a digraph", '%:include "/etc/passwd"\n', ['%:include "/etc/passwd"']],
    ["as a trigraph", '??=include "/etc/passwd"\n', ['#include "/etc/passwd"']],
    [
      "between texts that look like a comment",
      'auto a = "/*";\n#include "/k"\nauto b = "*/";\n',
      ['#include "/k"'],
    ],
    ["a question", '#if __has_include("/etc/passwd")\n#endif\n', ["__has_include"]],
    ["embedding", '#embed "/etc/passwd"\n', ['#embed "/etc/passwd"']],
    ["the assembler", 'asm(".incbin \\"/etc/passwd\\"");\n', ["incbin"]],
  ])("%s", (_, text, expected) => {
    expect(addedReaders(baseline, { "k.cu": text })).toEqual(expected);
  });

  test("an include of another file of the baseline counts for that file alone", () => {
    expect(addedReaders(baseline, { ...baseline, "sub/h.cuh": '#include "three.cuh"\n' })).toEqual([
      '#include "three.cuh"',
    ]);
  });

  test("no comments, splices or spaces hide an include", () => {
    const noise = fc.constantFrom("", " ", "\t", "\\\n", "/* */", "/* #\n */", "\\\r\n", "\\  \n");
    fc.assert(
      fc.property(fc.array(noise, { minLength: 4, maxLength: 4 }), ([a, b, c, d]) => {
        const text = `int x;\n${a ?? ""}#${b ?? ""}${c ?? ""}include${d ?? ""} "/etc/passwd"\n`;
        expect(addedReaders(baseline, { "k.cu": text })).toHaveLength(1);
      }),
    );
  });
});
