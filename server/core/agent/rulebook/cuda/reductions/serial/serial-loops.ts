import { arraysOf } from "../../../../../language/cuda/body/arrays";
import { formFrom, sameForm } from "../../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { localValues } from "../../../../../language/cuda/body/scope";
import { enclosing, fieldText, isInside, unwrapped, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { estimatedValue, formIn, type KernelView } from "../../kernel";
import type { BlockShape } from "../../launch/block-shape";

/** `if (threadIdx.x == 0) { for (…) total += shared[k]; … }` of a block. */
export interface Serial {
  readonly loop: CountedLoop;
  readonly choice: SyntaxNode;
  readonly turns: number;
}

/** Loops over shared memory that the first thread of a block alone walks through. */
export function serialLoops(view: KernelView, block: BlockShape): readonly Serial[] {
  return countedLoops(view.body).flatMap((loop) => serialLoop(view, loop, block) ?? []);
}

function serialLoop(view: KernelView, loop: CountedLoop, { sizes }: BlockShape): Serial | undefined {
  const choice = enclosing(loop.loop, "if_statement");
  const condition = choice?.childForFieldName("condition")?.childForFieldName("value");
  const outer = enclosing(loop.loop, "for_statement", "while_statement", "do_statement");
  const consequence = choice?.childForFieldName("consequence");
  if (choice === undefined || !condition || !consequence || !isFirstThread(view, condition)) return undefined;
  if (!isInside(loop.loop, consequence) || (outer !== undefined && isInside(outer, choice))) return undefined;
  const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const reads = shared.some(({ name }) => usesOf(loop.body, name).length > 0);
  const [start, end] = [boundOf(view, loop.start, sizes[0]), boundOf(view, loop.bound, sizes[0])];
  if (!reads || start === undefined || end === undefined) return undefined;
  return { loop, choice, turns: end - start };
}

function boundOf(view: KernelView, node: SyntaxNode, threads: number): number | undefined {
  return sameForm(formIn(view, node), formFrom({ "blockDim.x": 1 })) ? threads : estimatedValue(view, node);
}

/** `threadIdx.x == 0`, `!tid`, `tid < 1`. */
export function isFirstThread(view: KernelView, condition: SyntaxNode): boolean {
  const inner = unwrapped(condition);
  const isThread = (node: SyntaxNode | null): boolean =>
    node !== null && sameForm(formIn(view, node), formFrom({ "threadIdx.x": 1 }));
  if (inner.type === "unary_expression")
    return inner.text.startsWith("!") && isThread(inner.childForFieldName("argument"));
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const isNumber = (node: SyntaxNode | null, value: number): boolean =>
    node !== null && view.scope.value(node) === value;
  const operator = fieldText(inner, "operator");
  if (operator === "==")
    return (isThread(left) && isNumber(right, 0)) || (isThread(right) && isNumber(left, 0));
  return operator === "<" && isThread(left) && isNumber(right, 1);
}

/** A name in these parts that only the first thread's branch declares, other than `own`. */
export function lateName(
  view: KernelView,
  { loop, choice }: Omit<Serial, "turns">,
  { parts, own }: { readonly parts: readonly SyntaxNode[]; readonly own: ReadonlySet<string> },
): SyntaxNode | undefined {
  const inside = new Set(
    localValues(view.body)
      .filter(({ declaration }) => isInside(declaration, choice) && !isInside(declaration, loop.loop))
      .map(({ name }) => name),
  );
  return parts
    .flatMap((node) => node.descendantsOfType("identifier"))
    .find(({ text }) => !own.has(text) && inside.has(text));
}

/** `#pragma unroll` right above a loop. */
export function unrollOf({ loop }: CountedLoop): SyntaxNode | undefined {
  const above = loop.previousNamedSibling;
  return above !== null && /^#\s*pragma\s+unroll/.test(above.text) ? above : undefined;
}
