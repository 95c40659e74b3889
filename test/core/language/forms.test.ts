import fc from "fast-check";
import { expect, test } from "vitest";
import { formOf, formText } from "../../../server/core/language/cuda/body/forms";
import { kernelScope } from "../../../server/core/language/cuda/body/scope";
import { readCuda } from "../../../server/core/language/cuda/model";
import { parseSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { draws } from "../../harness/draws";

const grammars = await loadGrammars();

/** The form of the index in `out[…]`, behind declarations and with other text before the kernel. */
function formOfIndex(index: string, before = "", file = ""): string {
  const text = `${file}\n__global__ void k(float* out, int n) { ${before} out[${index}] = 0; }`;
  const source = parseSource(grammars, "cuda", text);
  const { kernels, constants } = readCuda(source.tree.root);
  const [kernel] = kernels;
  const node = kernel?.body.descendantsOfType("subscript_argument_list").at(-1)?.namedChildren[0];
  if (kernel === undefined || node === undefined) throw new Error(`no index in ${text}`);
  const form = formText(formOf(node, kernelScope(kernel, constants)));
  source.tree.dispose();
  return form;
}

const thread = "threadIdx.x+blockDim.x*blockIdx.x";

test.each<[string, string, string, string]>([
  ["blockIdx.x * blockDim.x + threadIdx.x", "", "", thread],
  ["threadIdx.x + (blockDim.x * blockIdx.x)", "", "", thread],
  ["i", "int i = blockIdx.x * blockDim.x + threadIdx.x;", "", thread],
  ["i", "const int t = threadIdx.x, b = blockIdx.x; auto i = (int)(b * blockDim.x) + t;", "", thread],
  ["ID", "", "#define ID (blockIdx.x * blockDim.x + threadIdx.x)", thread],
  ["__umul24(blockIdx.x, blockDim.x) + threadIdx.x", "", "", thread],
  ["static_cast<size_t>(blockIdx.x) * blockDim.x + int(threadIdx.x)", "", "", thread],
  ["blockIdx.x * B + threadIdx.x", "", "enum { A = 7, B };", "threadIdx.x+8*blockIdx.x"],
  ["(threadIdx.x + 1) * 4 - 4", "", "", "4*threadIdx.x"],
  ["threadIdx.x << 3", "", "", "8*threadIdx.x"],
  ["threadIdx.x & 31", "", "", "(threadIdx.x%32)"],
  ["threadIdx.x >> 5", "", "", "(threadIdx.x/32)"],
  ["i", "int i = threadIdx.x; i += n;", "", "i"],
  ["i", "int m = n; int i = m + 1; m = 0;", "", "i"],
  ["n", "", "#define n 5", "n"],
  ["i", "{ int i = 1; } { int i = 2; }", "", "i"],
  ["4 / 3 * 3", "", "", "3"],
  ["n / 4", "", "", "(n/4)"],
])("the form of %s behind %s with %s", (index, before, file, expected) => {
  expect(formOfIndex(index, before, file)).toBe(expected);
});

const atoms = ["threadIdx.x", "blockIdx.x", "blockDim.x", "n"] as const;

/** A sum of products, as numbers over the atoms. */
interface Term {
  readonly factors: readonly (typeof atoms)[number][];
  readonly coefficient: number;
}

const termArbitrary: fc.Arbitrary<Term> = fc.record({
  factors: fc.array(fc.constantFrom(...atoms), { maxLength: 2 }),
  coefficient: fc.integer({ min: 1, max: 9 }),
});

/** One way to write the terms: their order, that of the factors, brackets, casts and locals. */
function written(terms: readonly Term[], style: readonly number[]): { index: string; before: string } {
  const locals: string[] = [];
  const pick = (position: number, of: number): number => (style[position % style.length] ?? 0) % of;
  const parts = terms.map(({ factors, coefficient }, position) => {
    const ordered = pick(position, 2) === 0 ? factors : [...factors].reverse();
    const product = [String(coefficient), ...ordered].join(" * ");
    const shapes = [
      product,
      `(${product})`,
      `(int)(${product})`,
      `${ordered.join("*") || "1"} * ${coefficient}`,
    ];
    const text = shapes[pick(position + 1, shapes.length)] ?? product;
    if (pick(position + 2, 3) !== 0) return text;
    locals.push(`const int v${position} = ${text};`);
    return `v${position}`;
  });
  const index = pick(0, 2) === 0 ? parts.join(" + ") : `(${[...parts].reverse().join(" + ")})`;
  return { index, before: locals.join(" ") };
}

test("however a sum of products is written, its form is the same", () => {
  const styles = fc.array(fc.nat(11), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(termArbitrary, { minLength: 1, maxLength: 5 }), styles, styles, (terms, a, b) => {
      const [first, second] = [written(terms, a), written([...terms].reverse(), b)];
      expect(formOfIndex(second.index, second.before)).toBe(formOfIndex(first.index, first.before));
    }),
    { numRuns: draws(200) },
  );
});
