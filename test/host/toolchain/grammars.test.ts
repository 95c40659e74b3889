import fc from "fast-check";
import { expect, test } from "vitest";
import type { SyntaxNode } from "../../../server/core/language/tree";
import { findKernels, parseSource, type SourceFile } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { readCase } from "../../harness/cases";
import { draws } from "../../harness/draws";

const grammars = await loadGrammars();

/** The whole tree as text: types with their offsets. */
function outline(node: SyntaxNode): string {
  return `${node.type}${node.isMissing ? "!" : ""}[${node.startIndex},${node.endIndex}](${node.children.map(outline).join(" ")})`;
}

const insertion = fc.constantFrom(
  "",
  "x",
  "{",
  "}",
  "(",
  ")",
  "\n",
  "\r\n",
  "__global__ void k(float* x) { }\n",
  "__align__(8) ",
  "/*",
  "*/",
  '"',
  "é𝕏",
  "    ",
  "@triton.jit\ndef k(x):\n    pass\n",
);
const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), insertion), { minLength: 1, maxLength: 8 });

test.each([
  ["cuda", "everything.cu"],
  ["triton", "everything.py"],
] as const)("a %s text parsed step by step has the tree of a text parsed at once", (dialect, name) => {
  const begin = readCase(`language/${name}`);
  fc.assert(
    fc.property(edits, (steps) => {
      let source: SourceFile = parseSource(grammars, dialect, begin);
      for (const [where, length, inserted] of steps) {
        const at = where % (source.text.length + 1);
        const text = source.text.slice(0, at) + inserted + source.text.slice(at + length);
        source = parseSource(grammars, dialect, text, source);
      }
      const fresh = parseSource(grammars, dialect, source.text);
      try {
        if (!fresh.tree.root.hasError) expect(outline(source.tree.root)).toBe(outline(fresh.tree.root));
        expect(source.tree.root.endIndex).toBe(fresh.tree.root.endIndex);
        for (const kernel of findKernels(source)) expect(kernel.name).toMatch(/^[^\s(){}]+$/u);
      } finally {
        fresh.tree.dispose();
        source.tree.dispose();
      }
    }),
    { numRuns: draws(60) },
  );
});
