import { changes } from "../../../../language/cuda/body/scope";
import { calledFunctions } from "../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { changedPlaces, effectsOf, workIn } from "./statement-effects";

const loops = ["for_statement", "while_statement"];
const leaving = ["return_statement", "goto_statement", "break_statement", "continue_statement"];
/** What may keep a turn of a loop from coming to a call. */
const maybe = ["if_statement", "conditional_expression", "switch_statement", "lambda_expression", ...loops];

/**
 * Calls functions that search or load once in front of a loop where each of its turns calls them with the
 * same arguments, and makes inner loops there that no turn tells apart. Compilers move no loops, and stores
 * keep them from moving calls; arrays of different names are taken not to overlap.
 */
export const steadyWork = defineRule("cuda-steady-work", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const steady = view.body.descendantsOfType(loops).flatMap((loop) => steadyIn(view, loop) ?? []);
  const [best] = steady
    .map((each) => ({ each, value: workIn(input, view, [...each.declarations, ...each.calls]) }))
    .sort((a, b) => b.value - a.value);
  const [worst] = best === undefined ? [] : [...best.each.declarations, ...best.each.calls];
  if (best === undefined || worst === undefined)
    return not(
      "no-pattern",
      "no loop calls a function or makes a loop that is the same in each turn",
      view.line,
    );
  const share = shareSaved(best.value, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "the turns of the loop repeat little work", worst);
  const saved = threshold(entry, "savedShare");
  const facts = {
    ...{ file: input.file, line: lineOf(worst), counter: "instructions" as const },
    ...{ value: best.value, ideal: Math.round(best.value * (1 - saved)) },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, best.each)),
    hypothesis: fillSentence(entry.hypothesis, { line: lineOf(best.each.loop) }),
    evidence: evidenceFor(entry, facts),
    gain: gainOn(input, ["issue", "latency", "l1", "l2", "fp32", "special"], share * saved),
  };
});

interface Steady {
  readonly loop: SyntaxNode;
  /** Declarations and loops of the loop's body that can stand in front of it, in their order. */
  readonly declarations: readonly SyntaxNode[];
  /** Calls elsewhere in its body whose value can be taken in front of it. */
  readonly calls: readonly SyntaxNode[];
}

/** What each turn of a loop does anew though nothing of it changes. */
function steadyIn(view: KernelView, loop: SyntaxNode): Steady | undefined {
  const body = loop.childForFieldName("body");
  if (body?.type !== "compound_statement" || loop.parent?.type !== "compound_statement") return undefined;
  const costly = (node: SyntaxNode): boolean =>
    loops.includes(node.type) || costlyCalls(view, node).length > 0;
  const statements = partsOf(body);
  if (!statements.some(costly)) return undefined;
  const changing = changedIn(view, loop);
  const early = statements.findIndex((each) => each.descendantsOfType(leaving).length > 0);
  const reached = early < 0 ? statements : statements.slice(0, early);
  const declarations = steadyStatements(view, { loop, reached, changing });
  const kept = connected(declarations, costly);
  const calls = reached
    .flatMap((statement) => costlyCalls(view, statement))
    .filter((call) => !kept.some((each) => isInside(call, each)) && !isMaybe(call, loop))
    .filter((call) => isSteady(view, call, { loop, changing }));
  return kept.length + calls.length === 0 ? undefined : { loop, declarations: kept, calls };
}

/** What an inner loop makes: names that it alone sets, and where they are declared. */
interface Made {
  readonly names: readonly string[];
  readonly starts: readonly SyntaxNode[];
}

/** What an inner loop makes of variables of the turn; undefined where it does more than that. */
function madeBy(
  view: KernelView,
  inner: SyntaxNode,
  { loop, reached }: { readonly loop: SyntaxNode; readonly reached: readonly SyntaxNode[] },
): Made | undefined {
  const { sets, acts } = effectsOf(view, inner);
  const own = inner.descendantsOfType("declaration").flatMap(namesOf);
  const made = [...sets].filter((name) => !own.includes(name));
  const starts = reached.filter(
    (each) =>
      each.type === "declaration" &&
      each.startIndex < inner.startIndex &&
      namesOf(each).some((name) => made.includes(name)),
  );
  const declared = starts.flatMap(namesOf);
  if (acts || made.length === 0 || [...declared].sort().join() !== [...made].sort().join()) return undefined;
  const elsewhere = changedPlaces(view, loop).some(
    (target) => made.includes(pathOf(target)) && !isInside(target, inner),
  );
  const block = enclosing(loop, "compound_statement", "function_definition");
  const outside = made.some((name) =>
    usesOf(block ?? loop, name).some((use) => block === undefined || !isInside(use, loop)),
  );
  return elsewhere || outside ? undefined : { names: [...made, ...own], starts };
}

interface Turn {
  readonly loop: SyntaxNode;
  /** Statements of the turn that it surely comes to. */
  readonly reached: readonly SyntaxNode[];
  /** Names that differ from turn to turn; those of what is found steady are taken out. */
  readonly changing: Set<string>;
}

/** Declarations and inner loops of a turn that are the same in each. */
function steadyStatements(view: KernelView, { loop, reached, changing }: Turn): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const statement of reached) {
    if (loops.includes(statement.type)) {
      const made = madeBy(view, statement, { loop, reached });
      if (made === undefined) continue;
      const open = new Set([...changing].filter((name) => !made.names.includes(name)));
      const own = [...made.starts, statement];
      if (!own.every((each) => isSteady(view, each, { loop, changing: open }))) continue;
      found.push(...own.filter((each) => !found.includes(each)));
      for (const name of made.names) changing.delete(name);
      continue;
    }
    if (statement.type !== "declaration" || !isSteady(view, statement, { loop, changing })) continue;
    const names = namesOf(statement);
    if (names.some((name) => !isOwn(loop, statement, name))) continue;
    found.push(statement);
    for (const name of names) changing.delete(name);
  }
  return found;
}

/** Calls of functions of the file that load or walk: what the compiler does not move by itself. */
function costlyCalls({ model, kernel }: KernelView, node: SyntaxNode): readonly SyntaxNode[] {
  return node.descendantsOfType("call_expression").filter((call) => {
    const called = calledFunctions(model, kernel, [call]);
    return called.some(
      (each) => each.descendantsOfType([...loops, "subscript_expression", "pointer_expression"]).length > 0,
    );
  });
}

/** Names that a loop declares, and the variables, arrays and members that it changes. */
function changedIn(view: KernelView, loop: SyntaxNode): Set<string> {
  const declared = loop.descendantsOfType("declaration").flatMap(namesOf);
  return new Set([...declared, ...changedPlaces(view, loop).map(pathOf)]);
}

/** `L.price` of `L.price[k][s]`, and `p` of `*p`. */
function pathOf(target: SyntaxNode): string {
  let node = target;
  for (;;) {
    const inner = node.childForFieldName("argument") ?? undefined;
    const isStep = /^(?:subscript|pointer)_expression$/.test(node.type);
    if (!isStep || inner === undefined) return compact(node).replace(/->/g, ".");
    node = inner;
  }
}

interface Around {
  readonly loop: SyntaxNode;
  readonly changing: ReadonlySet<string>;
}

/** True for what is the same in each turn, and may be done once. */
function isSteady(view: KernelView, node: SyntaxNode, { loop, changing }: Around): boolean {
  const { reads, acts } = effectsOf(view, node);
  const own = new Set(node.type === "declaration" ? namesOf(node) : []);
  if (acts || /\b(?:volatile|static|__shared__)\b/.test(node.text)) return false;
  const paths = node
    .descendantsOfType(["field_expression", "identifier"])
    .map((each) => compact(each).replace(/->/g, "."));
  const meets = (place: string): boolean =>
    paths.some((path) => !own.has(path) && (path === place || path.startsWith(`${place}.`)));
  if ([...changing].some((place) => (own.has(place) ? false : meets(place)))) return false;
  if (/__sync|\batomic/.test(loop.text) && [...reads].some((name) => isShared(view, name))) return false;
  // The whole of a structure is read where it is handed over.
  return ![...changing].some((place) =>
    paths.some((path) => place.startsWith(`${path}.`) && isWhole(node, path)),
  );
}

/** True where a name is handed over as it is. */
function isWhole(node: SyntaxNode, path: string): boolean {
  return node
    .descendantsOfType("argument_list")
    .some((list) => partsOf(list).some((each) => compact(each).replace(/^[&*]/, "") === path));
}

function isShared({ body }: KernelView, name: string): boolean {
  return body
    .descendantsOfType("declaration")
    .some((node) => /__shared__/.test(node.text) && usesOf(node, name).length > 0);
}

/** True for a name that the loop declares once, and that means nothing else around it. */
function isOwn(loop: SyntaxNode, declaration: SyntaxNode, name: string): boolean {
  const block = enclosing(loop, "compound_statement", "function_definition");
  if (block === undefined || usesOf(block, name).some((use) => !isInside(use, loop))) return false;
  const others = loop
    .descendantsOfType("declaration")
    .filter(({ id }) => id !== declaration.id)
    .flatMap(namesOf);
  return !others.includes(name) && !changes(loop).some(({ target }) => usesOf(target, name).length > 0);
}

function namesOf(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

/** The declarations with costly calls, what these need, and what is made of them. */
function connected(
  declarations: readonly SyntaxNode[],
  costly: (node: SyntaxNode) => boolean,
): readonly SyntaxNode[] {
  const kept = new Set(declarations.filter(costly));
  for (let before = -1; before !== kept.size;) {
    before = kept.size;
    for (const each of declarations) {
      const isNear = [...kept].some(
        (other) =>
          namesOf(other).some((name) => usesOf(each, name).length > 0) ||
          namesOf(each).some((name) => usesOf(other, name).length > 0),
      );
      if (isNear) kept.add(each);
    }
  }
  return declarations.filter((each) => kept.has(each));
}

/** True for a call that a turn may leave out. */
function isMaybe(call: SyntaxNode, loop: SyntaxNode): boolean {
  const around = enclosing(call, ...maybe);
  return (
    around?.id !== loop.id ||
    /&&|\|\|/.test(enclosing(call, "expression_statement", "declaration")?.text ?? "&&")
  );
}

function edits({ source }: KernelView, { loop, declarations, calls }: Steady): readonly TextEdit[] {
  const indent = indentOf(source, loop);
  const pragma = loop.previousNamedSibling;
  const start = pragma !== null && /^#\s*pragma/.test(pragma.text) ? pragma : loop;
  let taken = source;
  const named = [...new Set(calls.map(compact))].map((text) => {
    const own = calls.filter((call) => compact(call) === text);
    const name = freshName(taken, `${/^\w+/.exec(text)?.[0] ?? "call"}Value`);
    taken += ` ${name}`;
    return { own, name, value: own[0]?.text ?? text };
  });
  const own = indentOf(source, start);
  const lines = [
    ...declarations.map(({ text }) => text),
    ...named.map(({ name, value }) => `const auto ${name} = ${value};`),
  ];
  return [
    insertBefore(start, lines.map((line) => `${indent.slice(own.length)}${line}\n${own}`).join("")),
    ...declarations.map((node) => replaceNode(node, "")),
    ...named.flatMap(({ own, name }) => own.map((call) => replaceNode(call, name))),
  ];
}
