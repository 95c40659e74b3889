import { expect, test } from "vitest";
import { collapse, descendantsAtLine, enclosing, namesIn, nodeAtLine } from "../../../server/core/language/query";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();
const text = "__global__ void k(float* x, int n) {\n  for (int i = 0; i < n; ++i) {\n    x[i] = x[i + 1];\n  }\n\n}\n";

test("nodes of a line, and what is around them", () => {
  withSource(grammars, "k.cu", text, ({ tree }) => {
    expect(descendantsAtLine(tree.root, 2, "subscript_expression").map((node) => node.text)).toEqual(["x[i]", "x[i + 1]"]);
    expect(nodeAtLine(tree.root, text, 2)?.type).toBe("expression_statement");
    expect(nodeAtLine(tree.root, text, 4)).toBeUndefined();
    const [first] = descendantsAtLine(tree.root, 2, "subscript_expression");
    expect(first && enclosing(first, "for_statement")?.startPosition.row).toBe(1);
    expect(first && enclosing(first, "while_statement")).toBeUndefined();
  });
});

test("names and blanks", () => {
  expect(namesIn('a.b + f(c, "d") * e1 + a')).toEqual(["a", "f", "c", "e1"]);
  expect(collapse("  a /* x */\n + // y\n b ")).toBe("a + b");
});
