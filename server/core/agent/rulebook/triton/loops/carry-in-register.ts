import { collapse, enclosing, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { placeOf, pointerOf } from "../fusing/access-places";
import { addressTerms } from "../spread/address";
import {
  isCallOf,
  languageCalls,
  launchValue,
  maskOf,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { isKept, namesOf, neededStatements } from "./steady";

/** What every turn of a loop loads, changes and stores again at one place is carried in a register. */
export const carryInRegister = defineRule("triton-carry-in-register", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const carried = languageCalls(view, ["store"]).flatMap((store) => carriedBy(view, store) ?? []);
  const [first] = carried;
  if (first === undefined)
    return not("no-pattern", "no loop stores what its next turn loads from the same place", view.line);
  const touched = carried.flatMap(({ store, loads }) => [store, ...loads]);
  const { totals } = input.counters;
  const share = shareSaved(
    requestsOf(input, touched),
    totals.globalLoadRequests + totals.globalStoreRequests,
  );
  const gain = gainOn(input, ["l2", "l1", "issue", "latency"], share);
  const facts = { file: input.file, line: lineOf(first.store), counter: "globalStoreRequests" as const };
  const value = countsOf(input, statementOf(first.store)).globalStoreRequests;
  const evidence = evidenceFor(entry, { ...facts, value, ideal: 0 });
  const held = carried.map((each) => noRegister(view, each, touched)).find((each) => each !== undefined);
  if (held !== undefined) return { ...held, sentence: `${evidence.sentence}; ${held.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return {
    kind: "proposal",
    tree: editedTree(input, carryEdits(view, carried)),
    hypothesis,
    evidence,
    gain,
  };
});

interface Carried {
  readonly loop: SyntaxNode;
  /** The parameter that the address begins with. */
  readonly parameter: string;
  readonly store: SyntaxNode;
  /** Loads of the loop from the same place, at least one. */
  readonly loads: readonly SyntaxNode[];
  /** Other accesses of the loop to the same tensor. */
  readonly others: readonly SyntaxNode[];
}

/** A store of the loop's own level to a place that no turn changes, with the loads from there. */
function carriedBy(view: TritonView, store: SyntaxNode): Carried | undefined {
  const loop = enclosing(store, "for_statement", "while_statement");
  const statement = store.parent;
  const own = statement?.parent?.id === loop?.childForFieldName("body")?.id;
  if (loop === undefined || statement?.type !== "expression_statement" || !own) return undefined;
  const parameter = pointerOf(view, store);
  if (parameter === undefined || !isSteadyPlace(view, loop, store)) return undefined;
  const accesses = accessesIn(view, loop).filter(({ id }) => id !== store.id);
  const near = accesses.filter((call) => pointerOf(view, call) === parameter);
  const place = placeOf(view, store);
  const loads = near.filter((call) => isCallOf(view, call, "load") && placeOf(view, call) === place);
  const others = near.filter((call) => !loads.some(({ id }) => id === call.id));
  return loads.length === 0 ? undefined : { loop, parameter, store, loads, others };
}

function accessesIn(view: TritonView, node: SyntaxNode): readonly SyntaxNode[] {
  return node
    .descendantsOfType("call")
    .filter(
      (call) =>
        isCallOf(view, call, "load") ||
        isCallOf(view, call, "store") ||
        /\.atomic_\w+$/.test(call.childForFieldName("function")?.text ?? ""),
    );
}

/** True where address and mask are the same in every turn. */
function isSteadyPlace(view: TritonView, loop: SyntaxNode, call: SyntaxNode): boolean {
  const parts = [positional(call)[0], maskOf(view, call)].flatMap((part) => part ?? []);
  return parts.every((part) => namesOf(part).every((name) => isKept(view, loop, name, 0)));
}

function requestsOf(input: RuleInput, calls: readonly SyntaxNode[]): number {
  const rows = new Map(calls.map((call) => [lineOf(call), statementOf(call)]));
  return [...rows.values()]
    .map((node) => countsOf(input, node))
    .reduce(
      (sum, { globalLoadRequests, globalStoreRequests }) => sum + globalLoadRequests + globalStoreRequests,
      0,
    );
}

/** What else may see the elements while the loop runs. */
function noRegister(
  view: TritonView,
  { parameter, others, store }: Carried,
  touched: readonly SyntaxNode[],
): RuleHold | undefined {
  const other = others.find(({ id }) => !touched.some((each) => each.id === id));
  if (other !== undefined)
    return not("dependence", `the loop touches ${parameter} at other places as well`, other);
  const passed = launchValue(view, parameter)?.text;
  const alias = view.parameters.find(
    ({ name, pointer }) =>
      pointer &&
      name !== parameter &&
      launchValue(view, name)?.text === passed &&
      usesOf(view.body, name).length > 0,
  );
  return alias && not("aliasing", `${alias.name} and ${parameter} are the same tensor`, store);
}

function carryEdits(view: TritonView, carried: readonly Carried[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const moved = new Set<number>();
  const names: string[] = [];
  for (const each of carried) {
    const name = freshName(`${view.source} ${names.join(" ")}`, `${each.parameter}_kept`);
    names.push(name);
    edits.push(...movedEdits(view, each, moved), ...oneEdits(view, each, name));
  }
  const loops = new Map(carried.map(({ loop }) => [loop.id, loop]));
  return [...edits, ...[...loops.values()].flatMap((loop) => barrierEdits(view, loop, carried))];
}

/** Barriers of a loop in which nothing is stored any more. */
function barrierEdits(view: TritonView, loop: SyntaxNode, carried: readonly Carried[]): readonly TextEdit[] {
  const stays = accessesIn(view, loop).some(
    (call) => !isCallOf(view, call, "load") && !carried.some(({ store }) => store.id === call.id),
  );
  const barriers = stays ? [] : languageCalls(view, ["debug_barrier"], loop);
  return barriers.flatMap(({ parent }) => {
    const alone = parent?.type === "expression_statement" && partsOf(parent.parent).length > 1;
    const start = view.source.lastIndexOf("\n", parent?.startIndex ?? 0);
    return alone ? [{ start, end: parent.endIndex, text: "" }] : [];
  });
}

/** What the place is made of stands in front of the loop. */
function movedEdits(view: TritonView, { loop, store }: Carried, moved: Set<number>): readonly TextEdit[] {
  const indent = indentOf(view.source, loop);
  const made = partsOf(loop.childForFieldName("body")).filter((statement) => {
    const name = partsOf(statement)[0]?.childForFieldName("left")?.text;
    const parts = [positional(store)[0], maskOf(view, store)].flatMap((part) => part ?? []);
    return name !== undefined && parts.some((part) => usesOf(part, name).length > 0);
  });
  return made
    .flatMap((statement) => neededStatements(view, loop, statement))
    .filter(({ id }) => !moved.has(id) && moved.add(id))
    .flatMap((statement) => [
      { start: loop.startIndex, end: loop.startIndex, text: `${statement.text}\n${indent}` },
      {
        start: view.source.lastIndexOf("\n", statement.startIndex),
        end: statement.endIndex,
        text: "",
      },
    ]);
}

function oneEdits(view: TritonView, each: Carried, name: string): readonly TextEdit[] {
  const { loop, store, loads } = each;
  const indent = indentOf(view.source, loop);
  const value = positional(store)[1];
  const [load] = loads;
  if (value === undefined || load === undefined || store.parent === null) return [];
  const begun = storedBefore(view, each);
  const start = begun === undefined ? load.text : (positional(begun)[1]?.text ?? load.text);
  const inner = loads.filter((one) => isInside(one, value)).map((one) => replaceNode(one, name));
  const outer = loads.filter((one) => !isInside(one, value)).map((one) => replaceNode(one, name));
  const kept = editedText(view.source, { start: value.startIndex, end: value.endIndex }, inner);
  const whole = /^\w+$/.test(kept) ? kept : `(${kept})`;
  const stored = editedText(view.source, { start: store.startIndex, end: store.endIndex }, [
    replaceNode(value, name),
  ]);
  return [
    { start: loop.startIndex, end: loop.startIndex, text: `${name} = ${collapse(start)}\n${indent}` },
    ...outer,
    replaceNode(store.parent, `${name} = ${whole}.to(${name}.dtype)`),
    { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${stored}` },
    ...(begun?.parent
      ? [{ start: view.source.lastIndexOf("\n", begun.startIndex), end: begun.parent.endIndex, text: "" }]
      : []),
  ];
}

/** A block that straight code in front of the loop stores there, where nobody reads it in between. */
function storedBefore(view: TritonView, { loop, store, parameter }: Carried): SyntaxNode | undefined {
  const around = partsOf(loop.parent);
  const before = around.slice(
    0,
    around.findIndex(({ id }) => id === loop.id),
  );
  const last = before.findLast((statement) => accessesOf(view, statement, parameter).length > 0);
  const [call, ...more] = last === undefined ? [] : accessesOf(view, last, parameter);
  const plain = call?.parent?.id === last?.id && more.length === 0;
  if (call === undefined || !plain || !isCallOf(view, call, "store")) return undefined;
  const value = positional(call)[1];
  const block = value !== undefined && isBlock(view, value);
  return block && placeOf(view, call) === placeOf(view, store) ? call : undefined;
}

function accessesOf(view: TritonView, node: SyntaxNode, parameter: string): readonly SyntaxNode[] {
  return accessesIn(view, node).filter((call) => pointerOf(view, call) === parameter);
}

/** `tl.zeros(…)`, or a name of it. */
function isBlock(view: TritonView, value: SyntaxNode): boolean {
  const terms = addressTerms(view, value);
  return (
    terms.length === 1 &&
    terms.every((term) => ["zeros", "full", "zeros_like"].some((name) => isCallOf(view, term, name)))
  );
}
