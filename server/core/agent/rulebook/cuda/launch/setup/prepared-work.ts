import { arraysOf } from "../../../../../language/cuda/body/arrays";
import { comparisonOf } from "../../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure, localValues } from "../../../../../language/cuda/body/scope";
import { variesWithThread, warpLevelUse } from "../../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import { isGlobalThreadIndex } from "../../elements/item-loops";
import { formIn, type KernelView } from "../../kernel";

/** What every block prepares in the same way, and what its threads do with it, each for its own number. */
export interface PreparedWork {
  /** Statements up to the barrier. */
  readonly setup: readonly SyntaxNode[];
  /** The number of the thread in the grid. */
  readonly number: {
    readonly name: string;
    readonly type: string;
    readonly value: SyntaxNode;
    readonly declaration: SyntaxNode;
  };
  /** `if (number >= end) return;`, or `if (number < end) { … }`, right behind it. */
  readonly guard: SyntaxNode;
  /** What the second of these holds; undefined of the first. */
  readonly held: SyntaxNode | undefined;
  readonly end: SyntaxNode;
  readonly last: SyntaxNode;
}

/** A kernel of that kind; a guard's answer where it is another one. */
export function preparedWork(view: KernelView, threads: number): PreparedWork | RuleHold {
  const parts = partsOf(view.body).filter(({ type }) => type !== "comment");
  const place = parts.findLastIndex((node) => /\b__sync\w+/.test(node.text));
  const [setup, rest] = [parts.slice(0, place), parts.slice(place + 1)];
  const none = "no barrier parts what a block prepares from what its threads do with it";
  if (place < 1 || !/^__syncthreads\(\);$/.test(compact(parts[place])))
    return not("no-pattern", none, view.line);
  const number = localValues(view.body).find(
    ({ declaration, value }) =>
      rest.some(({ id }) => id === declaration.id) &&
      declaration.childrenForFieldName("declarator").length === 1 &&
      isGlobalThreadIndex(formIn(view, value), threads),
  );
  const at = rest.findIndex(({ id }) => id === number?.declaration.id);
  const guard = rest[at + 1];
  const bounded = number && guard && boundOf(guard, number.name);
  const last = rest.at(-1);
  if (number === undefined || guard === undefined || bounded === undefined || last === undefined)
    return not("no-pattern", none, view.line);
  const { end, held: consequence } = bounded;
  if ((consequence === undefined) === at + 2 >= rest.length) return not("no-pattern", none, guard);
  const work = consequence === undefined ? rest.slice(at + 2) : [consequence];
  const held =
    setupOfItsOwn(view, setup) ??
    leftBehind(view, { work, setup, before: rest.slice(0, at), end }) ??
    otherUse(view, { number: number.value, work, name: number.name });
  if (held !== undefined) return held;
  const type = fieldText(number.declaration, "type");
  const { name, value, declaration } = number;
  return { setup, number: { name, type, value, declaration }, guard, held: consequence, end, last };
}

/** The end of `if (i >= end) return;`, or of `if (i < end) { … }` with what it holds. */
function boundOf(guard: SyntaxNode, name: string): Pick<PreparedWork, "end" | "held"> | undefined {
  const condition = guard.type === "if_statement" ? guard.childForFieldName("condition") : null;
  const compared = condition && comparisonOf(condition.childForFieldName("value") ?? condition, name);
  const consequence = guard.childForFieldName("consequence");
  if (!compared || consequence === null || guard.childForFieldName("alternative") !== null) return undefined;
  const leaves = /^\{?return;\}?$/.test(compact(consequence));
  if (compared.comparison === ">=" && leaves) return { end: compared.bound, held: undefined };
  const holds = compared.comparison === "<" && consequence.type === "compound_statement";
  return holds ? { end: compared.bound, held: consequence } : undefined;
}

/** What blocks prepare differently, or do not prepare alone. */
function setupOfItsOwn(view: KernelView, setup: readonly SyntaxNode[]): RuleHold | undefined {
  const own = setup.find((node) => /\bblockIdx\b|\batomic\w+|\breturn\b/.test(node.text));
  if (own !== undefined) return not("dependence", "each block prepares something of its own", own);
  const shared = sharedNames(view);
  const stored = setup
    .flatMap((node) => changes(node))
    .find(({ target }) => {
      const name = /^\w+/.exec(compact(target))?.[0] ?? "";
      return target.type !== "identifier" && !shared.has(name);
    });
  return stored && not("dependence", `${compact(stored.target)} is no shared memory`, stored.act);
}

function sharedNames({ body }: KernelView): ReadonlySet<string> {
  return new Set(arraysOf(body).flatMap(({ name, storage }) => (storage === "local" ? [] : name)));
}

interface Rest {
  readonly work: readonly SyntaxNode[];
  readonly setup: readonly SyntaxNode[];
  /** Statements between the barrier and the number. */
  readonly before: readonly SyntaxNode[];
  readonly end: SyntaxNode;
}

/** What one turn of the loop would leave to the next. */
function leftBehind(view: KernelView, { work, setup, before, end }: Rest): RuleHold | undefined {
  const leaves = work.flatMap((node) => node.descendantsOfType(["return_statement", "goto_statement"]))[0];
  if (leaves !== undefined) return not("dependence", "threads leave in the middle of their work", leaves);
  const warp = warpLevelUse(view.model, view.kernel);
  if (warp !== undefined) return not("cooperation", "the threads of a warp work together", warp.line);
  const declared = new Set(work.flatMap((node) => localNames(node)));
  const shared = sharedNames(view);
  const kept = work
    .flatMap((node) => changes(node))
    .find(({ target }) => {
      const name = /^[*(]*(\w+)/.exec(compact(target))?.[1] ?? "";
      return shared.has(name) || (target.type === "identifier" && !declared.has(name));
    });
  if (kept !== undefined)
    return not("dependence", `${compact(kept.target)} is handed from one turn to the next`, kept.act);
  const changed = new Set(
    [...setup, ...before, ...work].flatMap((node) => changes(node)).map(({ target }) => target.text),
  );
  const names = end.descendantsOfType("identifier").map(({ text }) => text);
  const isSteady = isPure(end) && !names.some((name) => changed.has(name) || declared.has(name));
  const isSame =
    !variesWithThread(view.model, view.body, "x")(end) &&
    end.descendantsOfType("subscript_expression").length === 0;
  return isSteady && isSame ? undefined : not("dependence", `${compact(end)} may change`, end);
}

function localNames(node: SyntaxNode): readonly string[] {
  return node
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .flatMap((each) => each.descendantsOfType("identifier")[0]?.text ?? []);
}

interface Numbered {
  readonly number: SyntaxNode;
  readonly work: readonly SyntaxNode[];
  readonly name: string;
}

/** A use of the block's place beside the number of the thread. */
function otherUse({ body }: KernelView, { number, work, name }: Numbered): RuleHold | undefined {
  const use = usesOf(body, "blockIdx").find((each) => !isInside(each, number));
  if (use !== undefined) return not("dependence", "blockIdx is used beside the number of the thread", use);
  const changed = work.find((node) => isAssigned(node, name));
  return changed && not("dependence", `${name} is changed`, changed);
}
