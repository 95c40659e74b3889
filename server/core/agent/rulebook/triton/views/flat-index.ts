import { enclosing, isInside, operands, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { isCallOf, languageCalls, onlyAssignment, positional, type TritonView } from "../kernel";

/** A load, with the place that it reads from the beginning of the tensor, in the kernel's words. */
export interface FlatLoad {
  readonly address: SyntaxNode;
  readonly place: string;
}

interface FlatLoads {
  readonly loads: readonly FlatLoad[];
  /** Statements that moved the pointer, which nothing reads any more. */
  readonly pointers: readonly SyntaxNode[];
}

interface Pointer {
  readonly view: TritonView;
  readonly parameter: string;
  /** What is added to the parameter itself in front of all loads. */
  readonly moved: readonly SyntaxNode[];
  /** Names of pointers that are made of it, with their assignments. */
  readonly made: Map<string, SyntaxNode>;
}

/** The loads through a parameter as places in memory; a guard's answer where they are more than a sum. */
export function flatLoads(view: TritonView, parameter: string): FlatLoads | RuleHold {
  const pointer = pointerOf(view, parameter);
  if ("kind" in pointer) return pointer;
  const loads: FlatLoad[] = [];
  for (const load of languageCalls(view, ["load"])) {
    const [address] = positional(load);
    const terms = address && termsOf(pointer, address);
    if (address === undefined || terms === undefined) continue;
    if ("kind" in terms) return terms;
    const all = [...pointer.moved, ...terms].map((term) => grouped(term));
    loads.push({ address, place: all.length === 0 ? "0" : all.join(" + ") });
  }
  if (loads.length === 0) return not("no-pattern", `no load of ${parameter} is seen`, view.line);
  const pointers = [...pointer.made.values(), ...pointer.moved.flatMap((node) => node.parent ?? [])];
  const known = [...loads.map(({ address }) => address), ...pointers];
  const other = [parameter, ...pointer.made.keys()]
    .flatMap((name) => usesOf(view.body, name))
    .find((use) => !known.some((node) => isInside(use, node)));
  return other === undefined
    ? { loads, pointers }
    : not("dependence", `${parameter} is used for more than loads`, other);
}

function pointerOf(view: TritonView, parameter: string): Pointer | RuleHold {
  const acts = givenTo(view, parameter);
  const strange = acts.find((act) => !isMove(act) || inLoop(act));
  if (strange !== undefined) return not("dependence", `the kernel moves ${parameter} in a loop`, strange);
  const moved = acts.flatMap((act) => act.childForFieldName("right") ?? []);
  return { view, parameter, moved, made: new Map() };
}

function givenTo(view: TritonView, name: string): readonly SyntaxNode[] {
  return view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
}

function isMove(act: SyntaxNode): boolean {
  return act.type === "augmented_assignment" && act.childForFieldName("operator")?.text === "+=";
}

function inLoop(node: SyntaxNode): boolean {
  return enclosing(node, "for_statement", "while_statement") !== undefined;
}

/** What an address adds to the parameter; undefined where it is another's. */
function termsOf(pointer: Pointer, address: SyntaxNode): readonly SyntaxNode[] | RuleHold | undefined {
  const { view, parameter, made } = pointer;
  const found: SyntaxNode[] = [];
  let times = 0;
  for (const term of operands(address, "+")) {
    if (term.text === parameter) {
      times += 1;
      continue;
    }
    const inner = term.type === "identifier" ? madeTerms(pointer, term.text) : undefined;
    if (inner === undefined) {
      if (leadsTo(pointer, term)) return not("no-pattern", `${parameter} is no term of its address`, term);
      found.push(term);
      continue;
    }
    if ("kind" in inner) return inner;
    times += 1;
    found.push(...inner);
    const assignment = onlyAssignment(view.body, term.text);
    if (assignment !== undefined) made.set(term.text, assignment);
  }
  if (times === 0) return undefined;
  return times === 1 ? found : not("aliasing", `${parameter} is added to itself`, address);
}

/** The same for a name that is given once, in front of all loops, and is made of the parameter. */
function madeTerms(pointer: Pointer, name: string): readonly SyntaxNode[] | RuleHold | undefined {
  const { view } = pointer;
  const acts = givenTo(view, name);
  const values = acts.flatMap((act) => act.childForFieldName("right") ?? []);
  if (!values.some((value) => leadsTo(pointer, value))) return undefined;
  const [act, ...more] = acts;
  const [value] = values;
  if (act === undefined || value === undefined || more.length > 0)
    return not("dependence", `the kernel moves ${name}`, more[0] ?? view.line);
  const changed = value
    .descendantsOfType("identifier")
    .find(({ text }) => text !== pointer.parameter && givenTo(view, text).length > 1);
  if (changed !== undefined) return not("dependence", `the kernel changes ${changed.text}`, changed);
  return termsOf(pointer, value);
}

/** True for an expression of which a part is the parameter, and no value that was loaded. */
function leadsTo(pointer: Pointer, node: SyntaxNode, depth = 0): boolean {
  const { view, parameter } = pointer;
  if (depth > 6 || isCallOf(view, node, "load")) return false;
  if (node.type === "identifier") {
    if (node.text === parameter) return true;
    return givenTo(view, node.text).some((act) => {
      const value = act.childForFieldName("right");
      return act.childForFieldName("left")?.text === node.text && value
        ? leadsTo(pointer, value, depth + 1)
        : false;
    });
  }
  return node.namedChildren.some((child) => leadsTo(pointer, child, depth));
}

/** The term as it may stand in a sum. */
function grouped({ type, text }: SyntaxNode): string {
  const loose = /^(?:comparison_operator|boolean_operator|conditional_expression|not_operator|lambda)$/;
  return loose.test(type) ? `(${text})` : text;
}
