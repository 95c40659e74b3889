import { known } from "../../../../base/known";
import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../edits";
import { combiningCalls, isCallOf, onlyAssignment, otherOf, positional, type TritonView } from "../kernel";
import { isMemberName } from "./renaming";
import { type Stage, type StageAccess, writtenGrid } from "./stage";

/** Two launches that become one. */
export interface Chain {
  readonly first: Stage;
  readonly second: Stage;
  /** Loads of the second kernel with the stores of the first that give their values. */
  readonly taken: readonly {
    readonly load: StageAccess;
    readonly store: StageAccess;
  }[];
  /** Loads of the second kernel of what the first has loaded, from the same place. */
  readonly reloaded: readonly {
    readonly load: StageAccess;
    readonly earlier: StageAccess;
  }[];
  /** Stores of the first kernel that are not needed any more. */
  readonly dropped: readonly SyntaxNode[];
}

/**
 * One kernel with the statements of both, under the name of the kernel that is judged; one launch at the
 * place of the second.
 */
export function fusedEdits(view: TritonView, chain: Chain): readonly TextEdit[] {
  const { first, second } = chain;
  const own = view.definition.id === first.kernel.definition.id ? first : second;
  const other = own === first ? second : first;
  const names = newNames(view, own, other);
  const values = valueNames(view, chain);
  const renamed = (stage: Stage): ReadonlyMap<string, string> => (stage === other ? names : new Map());
  const lines = [
    ...firstLines(view, chain, { names: renamed(first), values }),
    ...secondLines(view, chain, { names: renamed(second), values }),
  ];
  const parameters = keptParameters(chain).map(({ stage, name }) => ({
    stage,
    name,
    fresh: renamed(stage).get(name) ?? name,
  }));
  const named = parameters.filter(
    ({ fresh }, position) => parameters.findIndex((each) => each.fresh === fresh) === position,
  );
  const { definition, body } = own.kernel;
  const indent = " ".repeat(body.startPosition.column);
  const head = definition.childForFieldName("parameters");
  const declared = named.map(({ stage, name, fresh }) => {
    const constant = stage.kernel.facts.parameters.find((each) => each.name === name)?.constexpr === true;
    return constant ? `${fresh}: ${constexprOf(stage, name)}` : fresh;
  });
  const passed = named.map(({ stage, name, fresh }) => `${fresh}=${stage.passed.get(name)?.text ?? name}`);
  const options = [...second.options].map(([name, value]) => `${name}=${value.text}`);
  const callee = second.launch.call.childForFieldName("function");
  const grid = gridText(chain, parameters);
  const call = `${own.kernel.facts.name}[${grid}](${[...passed, ...options].join(", ")})`;
  return [
    ...(head === null ? [] : [replaceNode(head, `(${declared.join(", ")})`)]),
    {
      start: body.startIndex,
      end: body.endIndex,
      text: lines.join(`\n${indent}`),
    },
    lineTaken(view, first.statement),
    ...unusedTensors(view, chain).map((statement) => lineTaken(view, statement)),
    ...(callee === null ? [] : [replaceNode(second.launch.call, call)]),
  ];
}

/** A name for each value that the first kernel passes on, by the call that stores or loads it. */
function valueNames({ source }: TritonView, { taken, reloaded }: Chain): ReadonlyMap<number, string> {
  const stored = taken.map(
    ({ store }, place) => [store.call.id, freshName(source, `passed${place + 1}`)] as const,
  );
  const earlier = [...new Set(reloaded.map((each) => each.earlier.call.id))];
  const loaded = earlier.map((id, place) => [id, freshName(source, `loaded${place + 1}`)] as const);
  return new Map([...stored, ...loaded]);
}

/** The statement with its line. */
function lineTaken({ source }: TritonView, statement: SyntaxNode): TextEdit {
  const start = source.lastIndexOf("\n", statement.startIndex);
  return { start: Math.max(0, start), end: statement.endIndex, text: "" };
}

/** `t = torch.empty_like(x)` of tensors that only the dropped stores and loads served. */
function unusedTensors(
  { host }: TritonView,
  { first, second, taken, dropped }: Chain,
): readonly SyntaxNode[] {
  const tensors = new Set(
    taken.flatMap(({ store }) => (dropped.some(({ id }) => id === store.call.id) ? [store.tensor] : [])),
  );
  return [...tensors].flatMap((tensor) => {
    const statement = onlyAssignment(host, tensor)?.parent;
    const stored = second.stores.some((store) => store.tensor === tensor);
    const used = usesOf(host, tensor).some(
      (use) => ![first.statement, second.statement, statement].some((node) => node && isInside(use, node)),
    );
    return statement?.type === "expression_statement" && !stored && !used ? [statement] : [];
  });
}

interface Kept {
  readonly stage: Stage;
  readonly name: string;
}

/** Parameters of both kernels without those that only dropped accesses needed; constants last. */
function keptParameters({ first, second, taken, reloaded, dropped }: Chain): readonly Kept[] {
  const loads = [...taken, ...reloaded].map(({ load }) => load.call);
  const gone = (stage: Stage, name: string): boolean => {
    const accesses = [...stage.loads, ...stage.stores].filter(({ parameter }) => parameter === name);
    const away = new Set([...dropped, ...loads].map(({ id }) => id));
    return accesses.length > 0 && accesses.every(({ call }) => away.has(call.id));
  };
  const all = [first, second].flatMap((stage) =>
    stage.kernel.facts.parameters
      .filter(({ name }) => !gone(stage, name) || isNamedOutside(stage, name, [...dropped, ...loads]))
      .map(({ name, constexpr }) => ({ stage, name, constexpr })),
  );
  return [...all.filter(({ constexpr }) => !constexpr), ...all.filter(({ constexpr }) => constexpr)];
}

/** True for a pointer that a local is made of, so that its name still stands in the body. */
function isNamedOutside({ kernel }: Stage, name: string, away: readonly SyntaxNode[]): boolean {
  return kernel.body
    .descendantsOfType("identifier")
    .some(
      (use) =>
        use.text === name &&
        !away.some((call) => use.startIndex >= call.startIndex && use.endIndex <= call.endIndex),
    );
}

function constexprOf({ kernel }: Stage, name: string): string {
  return known(
    kernel.facts.parameters.find((each) => each.name === name),
    "a parameter of the kernel",
  ).type;
}

/** The second launch's grid; a lambda reads the constants by their new names. */
function gridText({ second }: Chain, parameters: readonly (Kept & { readonly fresh: string })[]): string {
  return writtenGrid(second.launch).replace(
    /\[\s*(["'])(\w+)\1\s*\]/g,
    (whole, quote: string, name: string) => {
      const found = parameters.find((each) => each.stage === second && each.name === name);
      return found === undefined ? whole : `[${quote}${found.fresh}${quote}]`;
    },
  );
}

/** Names of the other kernel that the judged one has as well, with new ones. */
function newNames(view: TritonView, own: Stage, other: Stage): ReadonlyMap<string, string> {
  const taken = new Set(boundNames(own));
  const shared = sharedNumbers(own, other);
  return new Map(
    boundNames(other).flatMap((name) => {
      const same = shared.get(name);
      if (same !== undefined) return [[name, same] as const];
      return taken.has(name) ? [[name, freshName(view.source, `${name}_next`)] as const] : [];
    }),
  );
}

/** Numbers of the other kernel for which the host passes what it passes for one of the judged kernel. */
function sharedNumbers(own: Stage, other: Stage): ReadonlyMap<string, string> {
  const numbers = ({ kernel, passed }: Stage) =>
    kernel.facts.parameters
      .filter(({ name, pointer }) => !pointer && usesAssigned(kernel.body, name) === 0)
      .map(({ name, constexpr }) => ({ name, key: `${constexpr}:${passed.get(name)?.text ?? name}` }));
  const known = new Map(numbers(own).map(({ name, key }) => [key, name]));
  return new Map(
    numbers(other).flatMap(({ name, key }) => {
      const same = known.get(key);
      return same === undefined ? [] : [[name, same] as const];
    }),
  );
}

/** How often a kernel gives a name a new value. */
function usesAssigned(body: SyntaxNode, name: string): number {
  return body
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .filter((node) => usesOf(node.childForFieldName("left") ?? node, name).length > 0).length;
}

function boundNames({ kernel }: Stage): readonly string[] {
  const locals = kernel.body
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .flatMap((node) => node.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .map(({ text }) => text);
  return [...new Set([...kernel.facts.parameters.map(({ name }) => name), ...locals])];
}

interface Making {
  readonly names: ReadonlyMap<string, string>;
  /** Names of the values that are passed on, by the call that stores them. */
  readonly values: ReadonlyMap<number, string>;
}

/** The first kernel's statements; what it passes on gets a name. */
function firstLines(
  view: TritonView,
  { first, dropped, reloaded }: Chain,
  { names, values }: Making,
): readonly string[] {
  const earlier = new Set(reloaded.map((each) => each.earlier.call));
  return partsOf(first.kernel.body).flatMap((statement) => {
    const [call] = partsOf(statement);
    const named = [...earlier]
      .filter((load) => isInside(load, statement))
      .map((load) => ({ load, name: known(values.get(load.id), "the name of a load") }));
    const edits = named.map(({ load, name }) => replaceNode(load, name));
    const made = named.map(({ load, name }) => `${name} = ${textOf(view, load, names, [])}`);
    const name = call === undefined ? undefined : values.get(call.id);
    const value = call === undefined ? undefined : positional(call)[1];
    const isDropped = dropped.some(({ id }) => id === call?.id);
    if (name === undefined || value === undefined)
      return isDropped ? made : [...made, textOf(view, statement, names, edits)];
    const kept = `${name} = ${textOf(view, value, names, edits)}`;
    const outside = edits.filter(({ start, end }) => end <= value.startIndex || start >= value.endIndex);
    const stored = textOf(view, statement, names, [...outside, replaceNode(value, name)]);
    return [...made, kept, ...(isDropped ? [] : [stored])];
  });
}

/** The second kernel's statements with the values in the place of their loads. */
function secondLines(
  view: TritonView,
  { second, taken, reloaded }: Chain,
  { names, values }: Making,
): readonly string[] {
  const sources = [
    ...taken.map(({ load, store }) => ({ load, from: store })),
    ...reloaded.map(({ load, earlier }) => ({ load, from: earlier })),
  ];
  const edits = sources.flatMap(({ load, from }) => {
    const name = values.get(from.call.id);
    if (name === undefined) return [];
    const isFilled = needsFilling(view, second, { load, from });
    return [replaceNode(load.call, isFilled ? filledText(view, load, { name, names }) : name)];
  });
  return partsOf(second.kernel.body).map((statement) => textOf(view, statement, names, edits));
}

interface Replaced {
  readonly load: StageAccess;
  /** The load or store that gives the value instead. */
  readonly from: StageAccess;
}

/**
 * True where lanes that the load's mask leaves out need what the load gave them: the kernel combines lanes,
 * or stores such lanes.
 */
function needsFilling(view: TritonView, { kernel, stores, words }: Stage, { load, from }: Replaced): boolean {
  const { call, mask } = load;
  const other = compact(otherOf(call));
  if (mask === undefined || other === "" || other === givenBy(view, from)) return false;
  const combines = combiningCalls(view, kernel.body).length > 0;
  return combines || stores.some((store) => !store.mask || words(store.mask) !== words(mask));
}

/** What lanes without an element have in a value that a load gave. */
function givenBy(view: TritonView, { call }: StageAccess): string | undefined {
  return isCallOf(view, call, "load") ? compact(otherOf(call)) : undefined;
}

/** `tl.where(mask, value, other)`: a value in the place of a load. */
function filledText(
  view: TritonView,
  { call, mask }: StageAccess,
  { name, names }: { readonly name: string; readonly names: ReadonlyMap<string, string> },
): string {
  const module = fieldText(call.childForFieldName("function"), "object");
  const [condition, other] = [mask, otherOf(call)].map((node) => (node ? textOf(view, node, names, []) : ""));
  return `${module === "" ? "" : `${module}.`}where(${condition}, ${name}, ${other})`;
}

/** The text of a node with other names and with edits; what an edit replaces keeps nothing. */
function textOf(
  view: TritonView,
  node: SyntaxNode,
  names: ReadonlyMap<string, string>,
  edits: readonly TextEdit[],
): string {
  const own = edits.filter(({ start, end }) => start >= node.startIndex && end <= node.endIndex);
  const renames = node.descendantsOfType("identifier").flatMap((use) => {
    const name = names.get(use.text);
    const covered = own.some(({ start, end }) => use.startIndex >= start && use.endIndex <= end);
    return name === undefined || covered || isMemberName(use) ? [] : [replaceNode(use, name)];
  });
  return editedText(view.source, { start: node.startIndex, end: node.endIndex }, [...own, ...renames]);
}
