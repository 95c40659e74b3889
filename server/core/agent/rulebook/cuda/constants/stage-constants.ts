import { arraysOf } from "../../../../language/cuda/body/arrays";
import { constantValue } from "../../../../language/cuda/constants";
import { collapse, fieldText, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { arrayOf, readsApart } from "../causes/constant-reads";
import { elementBytes, cudaKernel, type KernelView } from "../kernel";

/** A table in constant memory that lanes read at different places. */
interface Table {
  readonly name: string;
  readonly type: string;
  /** As they are written, the slowest first. */
  readonly sizes: readonly string[];
  readonly elements: number;
  readonly reads: readonly SyntaxNode[];
}

/**
 * Copies a table of constant memory to shared memory at the start of each block where the lanes of a warp
 * read it at different places: constant memory serves one place at a time, shared memory one for each bank.
 */
export const stageConstants = defineRule("cuda-stage-constants", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const apart = readsApart(view).filter((node) => isInside(node, view.body) && !isCopied(view, node));
  const [first] = [...apart].sort((a, b) => instructionsAt(b) - instructionsAt(a));
  if (first === undefined)
    return not("no-pattern", "no table of constant memory is read at places of lanes", view.line);
  const value = instructionsAt(first);
  if (value === 0) return not("no-evidence", "the table was not read", first);
  const gain = gainOn(input, ["latency", "issue"], threshold(entry, "share"));
  const names = [...new Set(apart.map(arrayOf))];
  const tables = names.map((name) =>
    tableNamed(view, name, { reads: apart.filter((node) => arrayOf(node) === name), at: first }),
  );
  const held = tables.find(isNot);
  if (held !== undefined) return { ...held, gain };
  const known = tables.flatMap((each) => (isNot(each) ? [] : [each]));
  const bytes = known.reduce(
    (sum, { type, elements }) => sum + elements * (elementBytes(view, type) ?? 0),
    0,
  );
  if (bytes > threshold(entry, "bytesMost"))
    return { ...not("limit", `each block would copy ${bytes} bytes`, first), gain };
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, staged(view, known)),
    hypothesis: fillSentence(entry.hypothesis, { tables: names.join(" and ") }),
    evidence: evidenceFor(
      entry,
      { ...facts, value, ideal: Math.ceil(value / 32) },
      { tables: arrayOf(first) },
    ),
    gain,
  };

  function instructionsAt(node: SyntaxNode): number {
    return countsOf(input, node).instructions;
  }
});

/** True for what is copied to shared memory as it is. */
function isCopied({ body }: KernelView, { parent, id }: SyntaxNode): boolean {
  if (parent?.type !== "assignment_expression" || parent.childForFieldName("right")?.id !== id) return false;
  const target = parent.childForFieldName("left");
  const shared = arraysOf(body).filter(({ storage }) => storage !== "local");
  return target !== null && shared.some(({ name }) => arrayOf(target) === name);
}

function tableNamed(
  view: KernelView,
  name: string,
  { reads, at }: { readonly reads: readonly SyntaxNode[]; readonly at: SyntaxNode },
): Table | RuleHold {
  const { model } = view;
  const declarations = model.root
    .descendantsOfType("declaration")
    .filter((node) => /^[^=;[]*\b__constant__\b/.test(node.text) && usesOf(node, name).length > 0);
  const [declaration] = declarations;
  const declarator = declaration
    ?.descendantsOfType("array_declarator")
    .find((node) => node.parent?.type !== "array_declarator" && usesOf(node, name).length > 0);
  if (declaration === undefined || declarator === undefined || declarations.length > 1)
    return not("no-rewrite", `how ${name} is declared cannot be read`, at);
  const sizes: string[] = [];
  for (let node: SyntaxNode | null = declarator; node?.type === "array_declarator";) {
    sizes.unshift(collapse(fieldText(node, "size")));
    node = node.childForFieldName("declarator");
  }
  const numbers = sizes.map((size) => constantValue(size, model.constants));
  const type = collapse(fieldText(declaration, "type"));
  if (numbers.some((size) => size === undefined) || elementBytes(view, type) === undefined)
    return not("limit", `how large ${name} is cannot be read`, declaration);
  const elements = numbers.reduce<number>((product, size) => product * (size ?? 0), 1);
  return { name, type, sizes, elements, reads };
}

function staged(view: KernelView, tables: readonly Table[]): readonly TextEdit[] {
  const { body, source } = view;
  const [first] = partsOf(body);
  if (first === undefined) return [];
  const indent = indentOf(source, first);
  const place = freshName(source, "place");
  const thread = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x";
  const step = "blockDim.x * blockDim.y * blockDim.z";
  let taken = source;
  const named = tables.map((table) => {
    const own = freshName(taken, `${table.name}Copy`);
    taken += ` ${own}`;
    return { ...table, own };
  });
  const lines = [
    ...named.map(
      ({ type, own, sizes }) => `__shared__ ${type} ${own}${sizes.map((size) => `[${size}]`).join("")};`,
    ),
    ...named.flatMap(({ name, own, sizes, elements }) => {
      const start = (array: string): string =>
        sizes.length === 1 ? array : `(&${array}${sizes.map(() => "[0]").join("")})`;
      return [
        `for (int ${place} = ${thread}; ${place} < ${elements}; ${place} += ${step})`,
        `  ${start(own)}[${place}] = ${start(name)}[${place}];`,
      ];
    }),
    "__syncthreads();",
  ];
  return [
    insertBefore(first, `${lines.join(`\n${indent}`)}\n${indent}`),
    ...named.flatMap(({ name, own, reads }) =>
      reads.flatMap((node) =>
        usesOf(node, name)
          .slice(0, 1)
          .map((use) => replaceNode(use, own)),
      ),
    ),
  ];
}
