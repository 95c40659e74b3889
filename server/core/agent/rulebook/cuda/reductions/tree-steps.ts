import { arraysOf, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned } from "../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, operands, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";

/** Shared memory under one name: an array, or a pointer to a part of dynamic shared memory. */
export interface SharedBuffer {
  readonly name: string;
  /** Element type as written. */
  readonly type: string;
  readonly declaration: SyntaxNode;
}

/** `a[first] = f(a[first], a[first + stride])` in a tree. */
export interface TreeStep {
  readonly buffer: SharedBuffer;
  readonly assignment: SyntaxNode;
  /** The element of the thread itself, wherever it stands. */
  readonly own: readonly SyntaxNode[];
  readonly other: SyntaxNode;
}

/** One level of a tree: what the threads under the condition do, with a barrier before or after it. */
interface GuardedStep {
  readonly condition: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
  readonly barrier: "before" | "after";
}

/** One level of a tree: what the threads under the condition do, with a barrier before or after it. */
export interface TreeLevel {
  readonly condition: SyntaxNode;
  readonly assignments: readonly SyntaxNode[];
  readonly barrier: "before" | "after";
}

/** The guarded step of a tree's loop with its barrier; a guard's answer where there is more in it. */
export function guardedStep({ loop, body }: CountedLoop): GuardedStep | RuleHold {
  const all = statementsOf(body).filter(({ type }) => type !== "declaration");
  const isBarrier = (node: SyntaxNode | undefined): boolean => compact(node) === "__syncthreads();";
  const barrier = isBarrier(all[0]) ? "before" : "after";
  const [step, wait] = barrier === "before" ? [all[1], all[0]] : [all[0], all[1]];
  const condition = step?.childForFieldName("condition")?.childForFieldName("value");
  const plain = step?.type === "if_statement" && step.childForFieldName("alternative") === null;
  if (!plain || !condition || all.length !== 2 || !isBarrier(wait))
    return not("no-pattern", "the loop is not a guarded step and a barrier", loop);
  return { condition, statements: statementsOf(step.childForFieldName("consequence")), barrier };
}

/** The same where the step only assigns. */
export function levelOf(counted: CountedLoop): TreeLevel | RuleHold {
  const guarded = guardedStep(counted);
  if (isNot(guarded)) return guarded;
  const { condition, statements: inner, barrier } = guarded;
  const assignments = inner.flatMap((each) => each.namedChildren[0] ?? []);
  const other = inner.find((each) => each.namedChildren[0]?.type !== "assignment_expression");
  return other === undefined
    ? { condition, assignments, barrier }
    : not("no-pattern", "a step of the tree is more than assignments", other);
}

interface StepForms {
  /** Index of the element that a step keeps. */
  readonly own: Form;
  readonly other: Form;
  /** What an index stands for: a local of the loop is followed. */
  readonly indexOf: (index: SyntaxNode) => SyntaxNode;
}

/** The assignments as steps; a guard's answer for one that combines anything but two elements of a buffer. */
export function stepsOf(
  view: KernelView,
  level: TreeLevel,
  { own, other, indexOf }: StepForms,
): readonly TreeStep[] | RuleHold {
  const buffers = sharedBuffers(view);
  const steps: TreeStep[] = [];
  for (const assignment of level.assignments) {
    const left = assignment.childForFieldName("left");
    const buffer = buffers.find(({ name }) => name === fieldText(left, "argument"));
    if (left === null || buffer === undefined)
      return not("no-pattern", "a step of the tree stores to no shared array", assignment);
    const isAt = (node: SyntaxNode, form: Form): boolean => {
      const index = subscriptIndex(node);
      return index !== undefined && sameForm(formIn(view, indexOf(index)), form);
    };
    const elements = assignment.descendantsOfType("subscript_expression");
    const kept = elements.filter((node) => isAt(node, own));
    const further = elements.filter((node) => isAt(node, other));
    const named = elements.every((node) => fieldText(node, "argument") === buffer.name);
    const reads = fieldText(assignment, "operator") === "=" ? 2 : 1;
    const whole = isAt(left, own) && named && further.length === 1 && kept.length === reads;
    if (!whole || elements.length !== kept.length + 1 || further[0] === undefined)
      return not(
        "no-pattern",
        "a step does not combine an element with the one a stride further on",
        assignment,
      );
    steps.push({ buffer, assignment, own: kept, other: further[0] });
  }
  return steps;
}

/** Shared arrays, and pointers that stay in parts of dynamic shared memory that are a block or more apart. */
export function sharedBuffers(view: KernelView): readonly SharedBuffer[] {
  const arrays = arraysOf(view.body).filter(({ storage }) => storage !== "local");
  const dynamic = arrays.filter(({ storage }) => storage === "dynamic").map(({ name }) => name);
  const pointers = view.body.descendantsOfType("declaration").flatMap((declaration) => {
    const [declarator, ...others] = declaration.childrenForFieldName("declarator");
    const target = declarator?.childForFieldName("declarator");
    const value = declarator?.childForFieldName("value");
    const name =
      target?.type === "pointer_declarator" ? target.descendantsOfType("identifier")[0]?.text : undefined;
    if (name === undefined || !value || others.length > 0 || isAssigned(view.body, name)) return [];
    const type = collapse(fieldText(declaration, "type"));
    return startsIn(view, value, dynamic) ? [{ name, type, declaration }] : [];
  });
  return [...arrays, ...pointers];
}

/** `pool` or `pool + blockDim.x`, also behind a cast: whole blocks from the start. */
function startsIn(view: KernelView, value: SyntaxNode, dynamic: readonly string[]): boolean {
  const [base, ...offsets] = operands(uncast(value), "+");
  if (base === undefined || !dynamic.includes(uncast(base).text)) return false;
  return offsets.every((offset) =>
    [...formIn(view, offset).keys()].every((key) => key.startsWith("blockDim.x")),
  );
}

function uncast(node: SyntaxNode): SyntaxNode {
  const inner = unwrapped(node);
  if (inner.type === "cast_expression") return uncast(inner.childForFieldName("value") ?? inner);
  const cast = inner.type === "call_expression" && /^reinterpret_cast</.test(fieldText(inner, "function"));
  const [argument] = cast ? (inner.childForFieldName("arguments")?.namedChildren ?? []) : [];
  return argument === undefined ? inner : uncast(argument);
}

/** `threadIdx.x` of a tree over the threads of a block of one dimension. */
export const thread = formFrom({ "threadIdx.x": 1 });

/** A use of a buffer behind a node other than of its first element. */
export function usedBeyondFirst(
  view: KernelView,
  { name }: SharedBuffer,
  isLooked: (use: SyntaxNode) => boolean,
): SyntaxNode | undefined {
  return usesOf(view.body, name)
    .filter(isLooked)
    .find((use) => {
      const index = use.parent === null ? undefined : subscriptIndex(use.parent);
      return index === undefined || formIn(view, index).size > 0;
    });
}
