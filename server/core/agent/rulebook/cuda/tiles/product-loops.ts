import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { carriedValues } from "../rows/carried-values";

/** The number of an output along one axis: `blockIdx.y * blockDim.y + threadIdx.y`. */
export interface OutputIndex {
  readonly axis: "x" | "y";
  readonly name: string;
  readonly local: LocalValue;
  /** Conditions on it alone, under which there is an output. */
  readonly guards: readonly string[];
}

/** One load of the loop, with the axis that it depends on. */
export interface Operand {
  readonly node: SyntaxNode;
  readonly axis: "x" | "y";
  readonly elementType: string;
}

/** `if (row < m && col < n) { T sum = 0; for (…) sum += a[…] * b[…]; …sum…; }`. */
export interface ProductLoop {
  readonly loop: CountedLoop;
  readonly indices: Readonly<Record<"x" | "y", OutputIndex>>;
  readonly sum: { readonly name: string; readonly type: string; readonly start: string };
  readonly statement: SyntaxNode;
  readonly operands: readonly Operand[];
  /** What is replaced: from the guard or the sum's declaration to the end. */
  readonly region: { readonly start: SyntaxNode; readonly end: SyntaxNode };
  /** Statements behind the loop. */
  readonly after: readonly SyntaxNode[];
}

/**
 * The loop in which a thread computes one output as a sum of products; a guard's answer when there is none.
 */
export function productLoop(view: KernelView, block: readonly number[]): ProductLoop | RuleHold {
  const loops = countedLoops(view.body);
  const [loop] = loops;
  if (loop === undefined || loops.length > 1)
    return not("no-pattern", "the kernel is not one loop", view.line);
  const found = { x: indexOn(view, "x", block[0]), y: indexOn(view, "y", block[1]) };
  if (found.x === undefined || found.y === undefined)
    return not("no-pattern", "an output is not numbered by both axes of the grid", view.line);
  const [statement, ...more] = statementsOf(loop.body);
  if (statement?.type !== "expression_statement" || more.length > 0)
    return not("dependence", "the loop does more than to add up", loop.loop);
  const carried = carriedValues(loop.body, loop.variable);
  if (isNot(carried)) return carried;
  const [value] = carried;
  if (value?.combination !== "sum" || carried.length > 1)
    return not("dependence", "the loop does more than to add up", loop.loop);
  const place = placeOf(view, loop, { x: found.x, y: found.y });
  if (isNot(place)) return place;
  const sum = sumBefore(place.before, value.name, loop.loop);
  if (isNot(sum)) return sum;
  const loads = operandsOf(view, loop, place.indices);
  return isNot(loads) ? loads : { loop, sum, statement, operands: loads, ...place };
}

function indexOn(view: KernelView, axis: "x" | "y", size: number | undefined): LocalValue | undefined {
  const symbolic = formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 });
  const numeric = formFrom({ [`blockIdx.${axis}`]: size ?? Number.NaN, [`threadIdx.${axis}`]: 1 });
  return localValues(view.body).find(({ name, value }) => {
    const form = formIn(view, value);
    return !isAssigned(view.body, name) && (sameForm(form, symbolic) || sameForm(form, numeric));
  });
}

type Place = Pick<ProductLoop, "indices" | "region" | "after"> & { readonly before: readonly SyntaxNode[] };
type Locals = Readonly<Record<"x" | "y", LocalValue>>;

/** The statements around the loop and the conditions under which they run. */
function placeOf(view: KernelView, { loop }: CountedLoop, locals: Locals): Place | RuleHold {
  const all = partsOf(view.body);
  const guard = all.find((node) => node.type === "if_statement" && (isInside(loop, node) || isExit(node)));
  if (guard === undefined || guard.childForFieldName("alternative") !== null)
    return not("no-pattern", "no condition keeps the outputs inside", loop);
  const inside = isInside(loop, guard);
  const statements = inside
    ? statementsOf(guard.childForFieldName("consequence"))
    : all.slice(all.indexOf(guard) + 1);
  const at = statements.findIndex((node) => node.id === loop.id);
  if (at < 0) return not("no-pattern", "the loop stands in another statement", loop);
  const condition = guard.childForFieldName("condition")?.childForFieldName("value");
  const guards = condition ? guardsOf(condition, locals, inside) : undefined;
  if (guards === undefined) return not("no-pattern", "the condition is not one for each axis", guard);
  const end = statements.at(-1) ?? guard;
  const outer = [...usesOf(view.body, locals.x.name), ...usesOf(view.body, locals.y.name)].find(
    (use) =>
      use.startIndex < guard.startIndex &&
      !isInside(use, locals.x.declaration) &&
      !isInside(use, locals.y.declaration),
  );
  if (outer !== undefined) return not("dependence", `${outer.text} is used before the condition`, outer);
  return {
    indices: {
      x: { axis: "x", name: locals.x.name, local: locals.x, guards: guards.x },
      y: { axis: "y", name: locals.y.name, local: locals.y, guards: guards.y },
    },
    before: statements.slice(0, at).filter(({ type }) => !type.startsWith("preproc")),
    after: statements.slice(at + 1),
    region: { start: guard, end: inside ? guard : end },
  };
}

function isExit(node: SyntaxNode): boolean {
  return /^\{?return;\}?$/.test(compact(node.childForFieldName("consequence")));
}

/** The condition taken apart by axis; undefined when a part of it is about both or none. */
function guardsOf(condition: SyntaxNode, { x, y }: Locals, inside: boolean) {
  const guards: Record<"x" | "y", string[]> = { x: [], y: [] };
  for (const part of operands(condition, inside ? "&&" : "||")) {
    const [ofX, ofY] = [usesOf(part, x.name).length > 0, usesOf(part, y.name).length > 0];
    if (ofX === ofY) return undefined;
    guards[ofX ? "x" : "y"].push(inside ? `(${part.text})` : `!(${part.text})`);
  }
  return guards;
}

/** The only declaration before the loop, with a start that needs no memory. */
function sumBefore(
  before: readonly SyntaxNode[],
  name: string,
  loop: SyntaxNode,
): ProductLoop["sum"] | RuleHold {
  const [declaration, ...more] = before;
  const [declarator, ...others] = declaration?.childrenForFieldName("declarator") ?? [];
  const start = declarator?.childForFieldName("value");
  const type = fieldText(declaration, "type");
  const named = fieldText(declarator, "declarator") === name;
  if (
    declaration?.type !== "declaration" ||
    more.length > 0 ||
    others.length > 0 ||
    !start ||
    !named ||
    type === ""
  )
    return not("dependence", `something else than ${name} is prepared before the loop`, declaration ?? loop);
  return start.descendantsOfType(["subscript_expression", "pointer_expression", "call_expression"]).length > 0
    ? not("dependence", `${name} does not start from a number`, start)
    : { name, type, start: start.text };
}

/** Loads of the loop, each of which depends on one axis; both axes have some. */
function operandsOf(
  view: KernelView,
  { body }: CountedLoop,
  indices: ProductLoop["indices"],
): readonly Operand[] | RuleHold {
  const loads = cudaAccesses(view.kernel).accesses.filter(({ node }) => isInside(node, body));
  const found: Operand[] = [];
  for (const load of loads) {
    const [x, y] = [
      usesOf(load.node, indices.x.name).length > 0,
      usesOf(load.node, indices.y.name).length > 0,
    ];
    const elementType = elementOf(view, load);
    if (x && y) return not("no-pattern", `${compact(load.node)} serves one output alone`, load.node);
    if (elementType === undefined)
      return not("type", `the type of ${load.base} is not written out`, load.node);
    if (x || y) found.push({ node: load.node, axis: x ? "x" : "y", elementType });
  }
  const outside = [...usesOf(body, indices.x.name), ...usesOf(body, indices.y.name)].find(
    (use) => !found.some(({ node }) => isInside(use, node)),
  );
  if (outside !== undefined)
    return not("dependence", `${outside.text} is used for more than the operands`, outside);
  const axes = new Set(found.map(({ axis }) => axis));
  return axes.size === 2 ? found : not("no-pattern", "threads along one axis share no operand", body);
}

function elementOf(view: KernelView, { base }: CudaAccess): string | undefined {
  const parameter = view.kernel.facts.parameters.find(({ name }) => name === base);
  const plain = parameter?.type.replace(/\b(const|volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " ");
  return plain?.replace(/\s+/g, " ").trim();
}
