import { expect, test } from "vitest";
import { collapse, enclosing, namesIn } from "../../../server/core/language/query";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();
const text =
  "__global__ void k(float* x, int n) {\n  for (int i = 0; i < n; ++i) {\n    x[i] = x[i + 1];\n  }\n\n}\n";

test("what is around a node", () => {
  withSource(grammars, "k.cu", text, ({ tree }) => {
    const [first] = tree.root.descendantsOfType(["subscript_expression"]);
    expect(first && enclosing(first, "for_statement")?.startPosition.row).toBe(1);
    expect(first && enclosing(first, "while_statement")).toBeUndefined();
  });
});

test("names and blanks", () => {
  expect(namesIn('a.b + f(c, "d") * e1 + a')).toEqual(["a", "f", "c", "e1"]);
  expect(collapse("  a /* x */\n + // y\n b ")).toBe("a + b");
});
