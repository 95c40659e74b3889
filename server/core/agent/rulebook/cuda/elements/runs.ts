import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { coefficient, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { comparisonOf, type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, localValues } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { carriedValues } from "../rows/carried-values";
import { isGlobalThreadIndex } from "./item-loops";

/** `for (int p = thread * RUN; p < min(thread * RUN + RUN, n); ++p)`: a run of elements for each thread. */
interface Run {
  readonly loop: CountedLoop;
  readonly length: number;
  /** What makes the threads of a block take the elements of all their runs in turn. */
  readonly edits: readonly TextEdit[];
}

/** The first loop over a run; a guard's answer where its elements do not stand alone. */
export function runOf(view: KernelView, threads: number | undefined): Run | RuleHold | undefined {
  for (const loop of countedLoops(view.body)) {
    const start = formIn(view, loop.start);
    const length = coefficient(start, "threadIdx.x");
    const byOne = loop.step.operator === "+" && loop.step.amount === undefined && loop.comparison === "<";
    if (length < 2 || !byOne || !isGlobalThreadIndex(start, threads, length)) continue;
    const edits =
      inTurn(view, loop, length) ?? not("no-pattern", "the end of the run is not known", loop.bound);
    if (isNot(edits)) return edits;
    const held = notAlone(view, loop);
    return held ?? { loop, length, edits };
  }
  return undefined;
}

function inTurn(
  view: KernelView,
  loop: CountedLoop,
  length: number,
): readonly TextEdit[] | RuleHold | undefined {
  const { start, bound, update, variable, type } = loop;
  const plain = type.replace(/\bconst\b/g, "").trim();
  const whole = boundBehind(view, loop);
  const end = plus(formIn(view, start), length);
  const ends = whole === undefined ? [] : outermost(whole, (node) => sameForm(formIn(view, node), end));
  const first = `blockIdx.x * blockDim.x * ${length}`;
  if (ends.length === 0) return undefined;
  const exits = exitsBefore(view, loop);
  if (isNot(exits)) return exits;
  const left = outermost(whole ?? bound, (node) => node.text === "threadIdx").find(
    (node) => !ends.some((each) => isInside(node, each)),
  );
  if (left !== undefined) return not("dependence", "the end of the run depends on the thread", left);
  return [
    ...exits,
    ...ends.map((node) => replaceNode(node, `static_cast<${plain}>(${first} + blockDim.x * ${length})`)),
    replaceNode(start, `${first} + threadIdx.x`),
    replaceNode(update, `${variable} += blockDim.x`),
  ];
}

/** The end of a loop, or what the local that holds it is made of. */
function boundBehind(view: KernelView, { bound, loop }: CountedLoop): SyntaxNode | undefined {
  const inner = unwrapped(bound);
  if (inner.type !== "identifier") return bound;
  const local = localValues(view.body).find(({ name }) => name === inner.text);
  const others = local && usesOf(view.body, inner.text).filter((use) => !isInside(use, local.declaration));
  const alone = others?.every((use) => isInside(use, loop)) === true && !isAssigned(view.body, inner.text);
  return alone && others.length === 1 ? local?.value : bound;
}

/** The greatest parts of an expression of which something is true. */
function outermost(node: SyntaxNode, is: (node: SyntaxNode) => boolean): readonly SyntaxNode[] {
  if (is(node)) return [node];
  return node.namedChildren.flatMap((child) => outermost(child, is));
}

function plus(form: Form, constant: number): Form {
  return formFrom(Object.fromEntries([...form, ["", coefficient(form, "") + constant] as const]));
}

/** `if (first >= n) return;` in front of the loop, which its end says anyway, taken away. */
function exitsBefore(view: KernelView, { loop, start }: CountedLoop): readonly TextEdit[] | RuleHold {
  const around = enclosing(loop, "if_statement", "for_statement", "while_statement", "do_statement");
  if (around !== undefined) return not("dependence", "not every thread reaches the loop", around);
  const edits: TextEdit[] = [];
  for (const leaving of view.body.descendantsOfType("return_statement")) {
    if (leaving.startIndex > loop.endIndex) continue;
    const guard = enclosing(leaving, "if_statement");
    const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
    const compared = condition ? comparisonOf(condition, compact(start)) : undefined;
    if (guard === undefined || compared?.comparison !== ">=")
      return not("dependence", "a thread may return before the loop", leaving);
    edits.push(replaceNode(guard, guard.text.replace(/[^\n]/g, "")));
  }
  return edits;
}

/** A guard's answer unless each element stands alone, whichever thread takes it. */
function notAlone(view: KernelView, { loop, body, variable }: CountedLoop): RuleHold | undefined {
  const [exit] = body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (exit !== undefined) return not("dependence", "the loop may end early", exit);
  const carried = carriedValues(body, variable);
  if (isNot(carried)) return carried;
  const [value] = carried;
  if (value !== undefined)
    return not("dependence", `${value.name} is carried from one item to the next`, loop);
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const stores = accesses.filter(({ stores: does, node }) => does && isInside(node, loop));
  for (const store of stores) {
    const form = store.indexNode && formIn(view, store.indexNode);
    if (form?.get(variable) !== 1)
      return not("dependence", `${compact(store.node)} is no element of its own`, store.node);
    const other = [...accesses, ...atomics].find(
      (each) =>
        each.parameter === store.parameter &&
        (!each.indexNode || !sameForm(formIn(view, each.indexNode), form)),
    );
    if (other !== undefined)
      return not("dependence", `${other.base} is used at another element too`, other.node);
  }
  const [thread] = usesOf(body, "threadIdx");
  return thread && not("dependence", "the thread's number is used in the loop", thread);
}
