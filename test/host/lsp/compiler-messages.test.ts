import { expect, test } from "vitest";
import { compilerMessages } from "../../../server/host/lsp/views/program/compiler-messages";

/** What tools say, and `FILE:LINE:COLUMN MESSAGE` of each error with a place. */
const table: readonly {
  readonly what: string;
  readonly said: string;
  readonly expected: readonly string[];
}[] = [
  {
    what: "errors of CUDA's front end, without excerpts, warnings and sums",
    said: [
      'main.cu(3): error: identifier "nothing" is undefined',
      "    return nothing;",
      "           ^",
      "",
      "main.cu(9): warning #177-D: variable was declared but never referenced",
      'lib/a b.cuh(40): error: no instance of overloaded function "load" matches the argument list',
      "            argument types are: (int)",
      "            ^",
      'Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"',
      '2 errors detected in the compilation of "main.cu".',
    ].join("\n"),
    expected: [
      'main.cu:3:1 identifier "nothing" is undefined',
      'lib/a b.cuh:40:1 no instance of overloaded function "load" matches the argument list argument types are: (int)',
    ],
  },
  {
    what: "a header that is missing, in the host compiler's form",
    said: "main.cu:1:10: fatal error: grid.h: No such file or directory\n    1 | #include <grid.h>\n      |          ^~~~~~~~\ncompilation terminated.\n",
    expected: ["main.cu:1:10 grid.h: No such file or directory"],
  },
  {
    what: "what the linker misses, and what our runtime lacks",
    said: [
      "/usr/bin/ld: /tmp/o/0.o: in function `main':",
      "/home/me/main.cu:12: undefined reference to `solve(float*)'",
      "main.cu:14: the virtual GPU's runtime has no cudaGraphConditionalHandleCreate",
      "collect2: error: ld returned 1 exit status",
    ].join("\n"),
    expected: [
      "/home/me/main.cu:12:1 undefined reference to `solve(float*)'",
      "main.cu:14:1 the virtual GPU's runtime has no cudaGraphConditionalHandleCreate",
    ],
  },
  {
    what: "one error once, although two passes tell it",
    said: "a.cu(2): error: expected a ;\r\na.cu(2): error: expected a ;\r\n",
    expected: ["a.cu:2:1 expected a ;"],
  },
  {
    what: "nothing where no place is told",
    said: "there is no main(): run takes whole programs, check and profile take kernels\n",
    expected: [],
  },
];

test.each(table)("$what", ({ said, expected }) => {
  expect(
    compilerMessages(said).map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  ).toEqual(expected);
});
