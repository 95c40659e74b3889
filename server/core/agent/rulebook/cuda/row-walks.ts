import type { RuleNode } from "../rule";
import { compact, enclosing, isInside, usesOf } from "../syntax";
import { isAssigned, variesWithThread } from "./dependence";
import type { CudaKernel } from "./kernel-source";
import { subscriptIndex } from "./shared-array";

/**
 * Loops with the same head that each thread of a block walks in steps of the block: `for (int c =
 * threadIdx.x; c < columns; c += blockDim.x)`.
 */
export interface RowWalks {
  /** Array read in each of the loops at the loop's variable. */
  readonly array: string;
  readonly elementType: string;
  readonly index: string;
  readonly end: string;
  /** One entry for each loop, in order: the reads `array[index]` in it. */
  readonly loops: readonly {
    readonly loop: RuleNode;
    readonly body: RuleNode;
    readonly reads: readonly RuleNode[];
  }[];
}

/**
 * Arrays that are walked at least twice in the same way, are never written and whose start is the same for
 * the whole block.
 */
export function rowWalks(kernel: CudaKernel): readonly RowWalks[] {
  const groups = new Map<string, { loop: RuleNode; body: RuleNode; index: string; end: string }[]>();
  for (const loop of kernel.body.descendantsOfType("for_statement")) {
    const head = walkHead(loop);
    const body = loop.childForFieldName("body");
    if (
      head === undefined ||
      body?.type !== "compound_statement" ||
      isAssigned(body, head.index) ||
      enclosing(loop, ["for_statement", "while_statement", "if_statement", "do_statement"])
    )
      continue;
    const key = `${head.index};${head.end}`;
    groups.set(key, [...(groups.get(key) ?? []), { loop, body, ...head }]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined || isAssigned(kernel.body, first.end)) return [];
      return readArrays(kernel, first.body, first.index).flatMap(({ name, type }) => {
        const loops = group
          .map(({ loop, body }) => ({ loop, body, reads: readsOf(body, name, first.index) }))
          .filter((entry) => entry.reads.length > 0);
        return loops.length > 1 && isUnwritten(kernel, loops[0]?.loop, loops.at(-1)?.loop)
          ? [{ array: name, elementType: type, index: first.index, end: first.end, loops }]
          : [];
      });
    });
}

function walkHead(loop: RuleNode): { index: string; end: string } | undefined {
  const declarator = loop.childForFieldName("initializer")?.descendantsOfType("init_declarator")[0];
  const index = declarator?.childForFieldName("declarator");
  const [condition, update] = [loop.childForFieldName("condition"), loop.childForFieldName("update")];
  const end = condition?.childForFieldName("right");
  if (
    index?.type !== "identifier" ||
    compact(declarator?.childForFieldName("value")) !== "threadIdx.x" ||
    end?.type !== "identifier"
  )
    return undefined;
  if (compact(condition) !== `${index.text}<${end.text}` || compact(update) !== `${index.text}+=blockDim.x`)
    return undefined;
  return { index: index.text, end: end.text };
}

/**
 * Pointers to const that the loop reads at its variable and that are one and the same for all threads of a
 * block.
 */
function readArrays(
  kernel: CudaKernel,
  body: RuleNode,
  index: string,
): readonly { name: string; type: string }[] {
  const varies = (["x", "y", "z"] as const).map((axis) => variesWithThread(kernel.body, axis));
  const names = new Set(
    body
      .descendantsOfType("subscript_expression")
      .flatMap((node) => (subscriptIndex(node)?.text === index ? [node.childForFieldName("argument")] : []))
      .flatMap((argument) => (argument?.type === "identifier" ? [argument.text] : [])),
  );
  return [...names].flatMap((name) => {
    const use = usesOf(body, name)[0];
    const type = pointerToConst(kernel, name);
    if (
      use === undefined ||
      type === undefined ||
      isAssigned(kernel.body, name) ||
      varies.some((differs) => differs(use))
    )
      return [];
    return [{ name, type }];
  });
}

/** Element type of a parameter or local declared `const T* name`; undefined else. */
function pointerToConst(kernel: CudaKernel, name: string): string | undefined {
  const parameter = kernel.parameters.find((entry) => entry.name === name);
  if (parameter !== undefined) return parameter.pointer && parameter.constant ? parameter.type : undefined;
  const locals = kernel.body
    .descendantsOfType("declaration")
    .filter((node) =>
      node
        .descendantsOfType("pointer_declarator")
        .some((pointer) => pointer.childForFieldName("declarator")?.text === name),
    );
  const [local] = locals;
  const constant = local?.children.some((child) => child.type === "type_qualifier" && child.text === "const");
  return locals.length === 1 && constant ? compact(local?.childForFieldName("type")) : undefined;
}

function readsOf(body: RuleNode, name: string, index: string): readonly RuleNode[] {
  return body
    .descendantsOfType("subscript_expression")
    .filter(
      (node) => subscriptIndex(node)?.text === index && node.childForFieldName("argument")?.text === name,
    );
}

/**
 * True when no global element is stored between the start of the first loop and the start of the last: an
 * alias could change the row.
 */
function isUnwritten(kernel: CudaKernel, first: RuleNode | undefined, last: RuleNode | undefined): boolean {
  if (first === undefined || last === undefined) return false;
  const pointers = new Set(
    kernel.parameters.filter((parameter) => parameter.pointer).map((parameter) => parameter.name),
  );
  for (const node of kernel.body.descendantsOfType("pointer_declarator"))
    pointers.add(node.childForFieldName("declarator")?.text ?? "");
  return kernel.body.descendantsOfType("assignment_expression").every((node) => {
    const target = node.childForFieldName("left");
    const base = target?.descendantsOfType("identifier")[0]?.text ?? "";
    const element = target?.type === "subscript_expression" || target?.type === "pointer_expression";
    return !(
      element &&
      pointers.has(base) &&
      node.startIndex >= first.startIndex &&
      node.startIndex < last.startIndex &&
      !isInside(node, last)
    );
  });
}
