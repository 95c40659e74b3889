import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import type { Form } from "../../../../language/cuda/body/forms";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { conditionsOfLoad } from "../points/loaded-ahead";
import { accessesIn, elementTypeOf } from "../points/point-space";

/** A load that is done ahead of the statements that it stands in. */
interface CrossedLoad {
  readonly node: SyntaxNode;
  readonly elementType: string;
  /** Under which the statements come to it. */
  readonly conditions: readonly string[];
}

/** Loads that are coalesced along the one number, where the stores are along the other. */
export interface Crossed {
  readonly loads: readonly CrossedLoad[];
  /** The number along which stores are coalesced: the first or the second. */
  readonly storeAxis: 0 | 1;
}

/** Statements that run for each pair of two numbers. */
interface NumberedWork {
  readonly names: readonly [string, string];
  readonly statements: readonly SyntaxNode[];
  form(node: SyntaxNode): Form;
}

/** The loads of which only one side is coalesced; a guard's answer where there are none. */
export function crossedLoads(view: KernelView, work: NumberedWork): Crossed | RuleHold {
  const accesses = accessesIn(view, work.statements);
  const stores = accesses.filter(({ stores: does }) => does);
  const axes = new Set(stores.map((store) => contiguousAxis(work, store)));
  const [storeAxis] = axes;
  if (storeAxis === undefined || axes.size !== 1)
    return not("no-pattern", "the stores do not lie along one axis", stores[0]?.node ?? view.line);
  const loop = work.statements.flatMap((node) =>
    node.descendantsOfType(["for_statement", "while_statement", "do_statement"]),
  )[0];
  if (loop !== undefined) return not("no-pattern", "a point's work holds a loop", loop);
  const stored = new Set(stores.map(({ parameter }) => parameter));
  const across = accesses.filter(
    (access) => access.loads && !access.stores && contiguousAxis(work, access) === 1 - storeAxis,
  );
  const [first] = across;
  if (first === undefined) return not("no-pattern", "no load lies along the other axis", view.line);
  const own = across.find(({ parameter }) => stored.has(parameter));
  if (own !== undefined) return not("aliasing", `${own.base} is loaded as well as stored`, own.node);
  const loads: CrossedLoad[] = [];
  for (const { node, parameter, indexNode } of across) {
    const elementType = elementTypeOf(view, parameter);
    const inner = indexNode?.descendantsOfType(["subscript_expression", "call_expression"])[0];
    if (elementType === undefined || indexNode === undefined || inner !== undefined)
      return not("type", `${compact(node)} cannot be loaded ahead`, node);
    const conditions = conditionsOfLoad(node, work.statements);
    if (isNot(conditions)) return conditions;
    loads.push({ node, elementType, conditions });
  }
  return { loads, storeAxis };
}

/**
 * The axis along which neighbouring points are neighbours in memory, where the other one takes larger steps.
 */
function contiguousAxis(work: NumberedWork, { indexNode }: CudaAccess): 0 | 1 | undefined {
  if (indexNode === undefined) return undefined;
  const form = work.form(indexNode);
  const [first, second] = work.names;
  const isUnit = (name: string): boolean => stepsOf(form, name) === "one";
  const isFar = (name: string): boolean => stepsOf(form, name) === "far";
  if (isUnit(first) && isFar(second)) return 0;
  return isUnit(second) && isFar(first) ? 1 : undefined;
}

/** By how much an index grows with a number: not at all, by one, or by more. */
function stepsOf(form: Form, name: string): "none" | "one" | "far" {
  const terms = [...form].filter(([key]) => key.split(/[^\w.]+/).includes(name));
  const [term, ...more] = terms;
  if (term === undefined) return "none";
  return more.length === 0 && term[0] === name && term[1] === 1 ? "one" : "far";
}

/** The statement that loads an element to where it is kept until the others ask for it. */
export function loadAhead({ node, conditions }: CrossedLoad, kept: string): string {
  const load = `${kept} = ${node.text};`;
  return conditions.length === 0 ? load : `if (${conditions.join(" && ")}) ${load}`;
}
