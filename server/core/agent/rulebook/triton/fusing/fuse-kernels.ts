import { compact, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";
import { absorbedEdits } from "./absorb";
import { type Chain, fusedEdits } from "./fused";
import { passedTo, type Stage, type StageAccess, stageOf } from "./stage";
import { isRead, isShared, usesOfTensor } from "./tensor-uses";

/**
 * Makes one kernel out of two that a function launches one after the other, where each program of the second
 * loads just the elements that the same program of the first has stored.
 */
export const fuseKernels = defineRule("triton-fuse-kernels", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const { host, launch, model } = view;
  const others = model.launches.filter(({ call }) => call.id !== launch.call.id && isInside(call, host));
  const own = namesOf(launch);
  const joined = others.find((other) =>
    [...namesOf(other)].some(
      (name) => own.has(name) && usesOfTensor(host, name).length > (made(name) ? 2 : 1),
    ),
  );
  if (joined === undefined)
    return not("no-pattern", "no other kernel works on the same tensors", launch.call);
  const value = others.length + 1;
  if (input.counters.totals.globalStoreRequests === 0)
    return not("no-evidence", "nothing is stored", launch.call);
  const gain = 1 - 1 / value;
  const facts = {
    file: input.file,
    line: lineOf(launch.call),
    counter: "globalStoreRequests" as const,
  };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: 1 });
  const edits = neighbourEdits(view);
  if (isNot(edits))
    return {
      ...edits,
      sentence: `${evidence.sentence}; ${edits.sentence}`,
      gain,
    };
  const one = editedTree(input, edits);
  const all = fusedFurther({ ...input, tree: one });
  const proposal = { kind: "proposal", evidence, gain } as const;
  const single = { ...proposal, tree: one, hypothesis: fillSentence(entry.hypothesis, { several: "two" }) };
  if (all === undefined) return single;
  const several = fillSentence(entry.hypothesis, { several: String(all.launches) });
  return [{ ...proposal, tree: all.tree, hypothesis: several }, single];
});

/** More launches than a function makes in a row that anyone reads. */
const MOST = 12;

/** The same step again and again, as far as it goes: the judge is asked once for all of them. */
function fusedFurther(
  once: RuleInput,
): { readonly tree: RuleInput["tree"]; readonly launches: number } | undefined {
  let input = once;
  for (let launches = 2; ; launches += 1) {
    const view = tritonKernel(input);
    const edits = isNot(view) || launches === MOST ? undefined : neighbourEdits(view);
    if (edits === undefined || isNot(edits))
      return launches === 2 ? undefined : { tree: input.tree, launches };
    input = { ...input, tree: editedTree(input, edits) };
  }
}

type Launch = TritonView["launch"];

function namesOf({ positional, keywords }: Launch): ReadonlySet<string> {
  const passed = [...positional, ...keywords.values()];
  return new Set(passed.flatMap((node) => (isName(node) ? [compact(node)] : [])));
}

/** `h`, `self.h`. */
function isName({ type, text }: SyntaxNode): boolean {
  return type === "identifier" || (type === "attribute" && /^self\s*\.\s*\w+$/.test(text));
}

/** True for what the function makes itself, or is handed; a member of an object stands elsewhere, too. */
function made(name: string): boolean {
  return !name.includes(".");
}

/** Fuses the kernel with a launch in front of it, or behind it: the nearest ones first. */
function neighbourEdits(view: TritonView): readonly TextEdit[] | RuleHold {
  const { launch, model } = view;
  const inBlock = model.launches.filter(
    ({ call }) => call.parent?.parent?.id === launch.call.parent?.parent?.id,
  );
  let held: RuleHold | undefined;
  for (const [first, second] of pairsWith(inBlock, launch)) {
    const chain = chainOf(view, first, second);
    if (!isNot(chain)) return fusedEdits(view, chain);
    const other = between(view, first, second);
    const absorbed = other ?? absorbedEdits(view, first, second);
    if (!isNot(absorbed)) return absorbed;
    held ??= chain.because === "launch" ? absorbed : chain;
  }
  return held ?? not("no-rewrite", "the kernels are not launched next to each other", launch.call);
}

/** The launch with each other one of its block, in the order in which they run, the nearest ones first. */
function pairsWith(inBlock: readonly Launch[], { call }: Launch): readonly (readonly [Launch, Launch])[] {
  const place = inBlock.findIndex((each) => each.call.id === call.id);
  const own = inBlock[place];
  return inBlock
    .map((other, at) => ({ other, away: at - place }))
    .filter(({ away }) => away !== 0)
    .sort((a, b) => Math.abs(a.away) - Math.abs(b.away) || a.away - b.away)
    .flatMap(({ other, away }): readonly (readonly [Launch, Launch])[] => {
      if (own === undefined) return [];
      return away < 0 ? [[other, own]] : [[own, other]];
    });
}

/** Two launches whose programs pass elements on to each other; a guard's answer where more is passed. */
function chainOf(view: TritonView, before: Launch, after: Launch): Chain | RuleHold {
  const [first, second] = [stageOf(view, before), stageOf(view, after)];
  if (isNot(first)) return first;
  if (isNot(second)) return second;
  const name = second.kernel.facts.name;
  const launches = view.model.launches.filter(
    ({ site }) => site.kernel === name || site.kernel === first.kernel.facts.name,
  );
  if (launches.length !== 2 || name === first.kernel.facts.name)
    return not("launch", "a kernel of the chain is launched at several places", after.call);
  if (first.grid === "" || first.grid !== second.grid)
    return not("launch", "the kernels are launched with different grids", after.call);
  if (optionsOf(first) !== optionsOf(second))
    return not("launch", "the kernels are launched with different options", after.call);
  return between(view, before, after) ?? passedOn(view, first, second);
}

function optionsOf({ options }: Stage): string {
  return [...options]
    .map(([name, value]) => `${name}=${compact(value)}`)
    .sort()
    .join();
}

/**
 * Statements between the launches may prepare tensors and numbers, and launch what works on other tensors
 * than the first: its work is done at the place of the second.
 */
function between({ host, model }: TritonView, first: Launch, second: Launch): RuleHold | undefined {
  const all = partsOf(first.call.parent?.parent ?? host);
  const placeOf = ({ call }: Launch): number => all.findIndex(({ id }) => id === call.parent?.id);
  const other = all.slice(placeOf(first) + 1, placeOf(second)).find((statement) => {
    const launch = model.launches.find(({ call }) => call.parent?.id === statement.id);
    return launch === undefined ? !isPreparation(model, statement) : !isIndependent(model, launch, first);
  });
  return other && not("dependence", "other work stands between the launches", other);
}

/** True for a launch that a first one may follow: neither stores to a tensor that the other is passed. */
function isIndependent(model: TritonView["model"], launch: Launch, first: Launch): boolean {
  const [stored, changed] = [storedBy(model, launch), storedBy(model, first)];
  if (stored === undefined || changed === undefined) return false;
  const [own, passed] = [namesOf(launch), namesOf(first)];
  return ![...changed].some((name) => own.has(name)) && ![...stored].some((name) => passed.has(name));
}

/** Names of tensors that a launch may store to; undefined where it is passed others. */
function storedBy({ kernels }: TritonView["model"], launch: Launch): ReadonlySet<string> | undefined {
  const [kernel, ...more] = kernels.filter(({ facts }) => facts.name === launch.site.kernel);
  if (kernel === undefined || more.length > 0 || launch.splat !== undefined) return undefined;
  const passed = passedTo(kernel, launch);
  const written = kernel.facts.parameters
    .filter(({ pointer, readOnly }) => pointer && !readOnly)
    .map(({ name }) => passed.get(name));
  return written.every((node) => node !== undefined && isName(node))
    ? new Set(written.flatMap((node) => (node ? [compact(node)] : [])))
    : undefined;
}

function isPreparation(model: TritonView["model"], statement: SyntaxNode): boolean {
  const [assignment] = partsOf(statement);
  const right = assignment?.type === "assignment" ? assignment.childForFieldName("right") : null;
  if (!right) return false;
  const callee = compact(right.childForFieldName("function"));
  return (
    !["call", "conditional_expression"].some((type) => right.descendantsOfType(type).length > 0) ||
    ["attribute", "subscript", "lambda"].includes(right.type) ||
    isArithmetic(model, callee) ||
    /(^|\.)(cdiv|next_power_of_2|numel|size|stride)$/.test(callee) ||
    /\.(new_)?(empty|zeros|ones|full)(_like)?$/.test(callee) ||
    (right.type === "tuple" && right.descendantsOfType("subscript").length === 0)
  );
}

/** The elements that the second kernel takes over, each at the place where the first one stores it. */
function passedOn(view: TritonView, first: Stage, second: Stage): Chain | RuleHold {
  const { statement } = second;
  for (const store of second.stores) {
    const crossing = [...first.loads, ...first.stores].find(
      ({ tensor, place }) => tensor === store.tensor && place !== store.place,
    );
    if (crossing !== undefined)
      return not("dependence", `${store.tensor} is touched by other programs before`, statement);
  }
  const taken = second.loads.flatMap((load) => {
    const store = first.stores.findLast(({ tensor }) => tensor === load.tensor);
    return store === undefined ? [] : [{ load, store }];
  });
  if (taken.length === 0) return not("no-pattern", "no tensor is passed on", statement);
  const away = taken.find(({ load, store }) => load.place !== store.place);
  if (away !== undefined)
    return not("dependence", `${away.load.tensor} is loaded at other elements than it is stored`, statement);
  const twice = taken.find(
    ({ store }) => first.stores.filter(({ tensor }) => tensor === store.tensor).length > 1,
  );
  if (twice !== undefined)
    return not("dependence", `${twice.store.tensor} is stored more than once`, statement);
  const reloaded = reloadedIn(
    first,
    second,
    taken.map(({ load }) => load),
  );
  return { first, second, taken, reloaded, dropped: droppedStores(view, first, second) };
}

/** Loads of what the first kernel has loaded from the same place, and nobody stores. */
function reloadedIn(first: Stage, second: Stage, taken: readonly StageAccess[]): Chain["reloaded"] {
  const stored = new Set([...first.stores, ...second.stores].map(({ tensor }) => tensor));
  return second.loads.flatMap((load) => {
    const earlier = first.loads.find(({ tensor, place }) => tensor === load.tensor && place === load.place);
    return earlier === undefined || stored.has(load.tensor) || taken.includes(load)
      ? []
      : [{ load, earlier }];
  });
}

/** Stores of the first kernel that nobody else sees. */
function droppedStores({ host, model }: TritonView, first: Stage, second: Stage): readonly SyntaxNode[] {
  const statements = [first.statement, second.statement];
  return first.stores.flatMap(({ call, tensor, place }) => {
    const replaced = second.stores.some((store) => store.tensor === tensor && store.place === place);
    const seen = usesOfTensor(host, tensor).some(
      (use) => !statements.some((each) => isInside(use, each)) && !isMaking(use, tensor) && isRead(use),
    );
    const parameter = usesOf(host.childForFieldName("parameters") ?? host, tensor).length > 0;
    const shared = isShared(model.root, tensor, statements);
    return replaced || (!seen && !parameter && !shared) ? [call] : [];
  });
}

/** The name on the left of the assignment that makes the tensor. */
function isMaking(use: SyntaxNode, tensor: string): boolean {
  const { parent } = use;
  const left = parent?.type === "pattern_list" ? parent.parent : parent;
  return (
    left?.type === "assignment" &&
    usesOfTensor(left.childForFieldName("left") ?? left, tensor).some(({ id }) => id === use.id)
  );
}

/** A function of Python's own for numbers, or one of the file that neither launches nor calls torch. */
function isArithmetic({ root }: TritonView["model"], callee: string): boolean {
  if (/^(min|max|int|len|abs)$/.test(callee)) return true;
  const definition = root
    .descendantsOfType("function_definition")
    .find((node) => node.childForFieldName("name")?.text === callee);
  if (definition === undefined) return false;
  return definition
    .descendantsOfType("call")
    .every((call) => /^(triton\.|math\.|min$|max$|int$)/.test(compact(call.childForFieldName("function"))));
}
