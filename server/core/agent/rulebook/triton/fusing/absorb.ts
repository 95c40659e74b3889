import { invariant } from "../../../../base/assert";
import { known } from "../../../../base/known";
import { fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { positional, type TritonView } from "../kernel";
import { hostWords } from "./host-words";
import type { Joint } from "./joint";
import { type Pointwise, pointwiseOf, writtenAt } from "./pointwise";
import { passedTo } from "./stage";
import { loadSites, movesOf, rowSiteIn, storeSites, type TakerSite } from "./taker-sites";
import { takenOver } from "./taking-over";
import { isRead, isShared, usesOfTensor } from "./tensor-uses";

/**
 * The edits that write a pointwise kernel's work into the kernel that takes its tensor, or gives it one; a
 * guard's answer where neither works.
 */
export function absorbedEdits(
  view: TritonView,
  first: TritonLaunch,
  second: TritonLaunch,
): readonly TextEdit[] | RuleHold {
  let held: RuleHold | undefined;
  for (const before of [true, false]) {
    const joint = jointOf(view, { first, second, before });
    const edits = isNot(joint) ? joint : takerEdits(view, joint);
    if (!isNot(edits)) return edits;
    held ??= edits;
  }
  return held ?? not("no-rewrite", "neither kernel works by elements", second.call);
}

interface Pair {
  readonly first: TritonLaunch;
  readonly second: TritonLaunch;
  readonly before: boolean;
}

function jointOf(view: TritonView, { first, second, before }: Pair): Joint | RuleHold {
  const [own, other] = before ? [first, second] : [second, first];
  const pointwise = pointwiseOf(view, own);
  if (isNot(pointwise)) return pointwise;
  const [kernel, ...more] = view.model.kernels.filter(({ facts }) => facts.name === other.site.kernel);
  if (kernel === undefined || more.length > 0 || other.splat !== undefined)
    return not("launch", `${other.site.kernel} is not one kernel of this file`, other.call);
  const taker = { kernel, launch: other, passed: passedTo(kernel, other) };
  const tensors = before ? [pointwise.store.tensor] : pointwise.loads.map(({ tensor }) => tensor);
  for (const tensor of new Set(tensors)) {
    const parameters = [...taker.passed].filter(([, value]) => value.text === tensor);
    const [parameter, ...others] = parameters;
    if (parameter === undefined) continue;
    if (others.length > 0) return not("aliasing", `${tensor} is passed twice`, other.call);
    const joint = { taker, pointwise, tensor, parameter: parameter[0], before, kept: false };
    return heldOf(view, joint) ?? storedAsNeeded(view, joint);
  }
  return not("no-pattern", "no tensor is passed on", second.call);
}

/** The joint of a tensor that others may need; a guard's answer where it cannot be left to them. */
function storedAsNeeded(view: TritonView, joint: Joint): Joint | RuleHold {
  const { pointwise, tensor, before } = joint;
  // What is changed in place is needed as it is behind both.
  const needed = !before && pointwise.store.tensor === tensor ? undefined : neededOtherwise(view, joint);
  // What is stored for others, too, the taker may store where it would have loaded it.
  return needed === undefined || before ? { ...joint, kept: needed !== undefined } : needed;
}

/** What else may see the tensor that is passed on. */
function neededOtherwise(view: TritonView, { taker, pointwise, tensor }: Joint): RuleHold | undefined {
  const { launch } = taker;
  const calls = [launch.call, pointwise.launch.call];
  const seen = usesOfTensor(view.host, tensor).find(
    (use) => !calls.some((call) => isInside(use, call)) && isRead(use),
  );
  if (isShared(view.model.root, tensor, calls))
    return not("dependence", `${tensor} may be needed elsewhere`, launch.call);
  return seen && not("dependence", `${tensor} is needed otherwise`, seen);
}

/** What else may see the other tensors on the way. */
function heldOf(view: TritonView, { taker, pointwise, tensor, before }: Joint): RuleHold | undefined {
  const { launch, kernel, passed } = taker;
  const launches = view.model.launches.filter(({ site }) =>
    [kernel.facts.name, pointwise.kernel.facts.name].includes(site.kernel),
  );
  if (launches.length !== 2)
    return not("launch", "a kernel of the chain is launched at several places", launch.call);
  const written = kernel.facts.parameters.filter(({ pointer, readOnly }) => pointer && !readOnly);
  const stored = new Set(written.map(({ name }) => passed.get(name)?.text ?? name));
  const touched = [...pointwise.loads, ...(before ? [] : [pointwise.store])].filter(
    (access) => access.tensor !== tensor,
  );
  const crossing = touched.find((access) => stored.has(access.tensor));
  return crossing && not("aliasing", `${crossing.tensor} is stored by both kernels`, launch.call);
}

function takerEdits(view: TritonView, joint: Joint): readonly TextEdit[] | RuleHold {
  const sites = joint.before ? loadSites(view, joint) : storeSites(view, joint);
  if (!Array.isArray(sites)) return sites as RuleHold;
  const names = namesFor(view, joint);
  const edits: TextEdit[] = [];
  for (const [place, site] of sites.entries()) {
    const made = siteEdits(view, joint, { site, names, place });
    if (!Array.isArray(made)) return made as RuleHold;
    edits.push(...made);
  }
  return takenOver(view, joint, { edits, names });
}

/** Names of the pointwise kernel in the taker: those that mean the same are shared, others are new. */
function namesFor(view: TritonView, { taker, pointwise, tensor }: Joint): ReadonlyMap<string, string> {
  const steady = taker.kernel.facts.parameters.filter(
    ({ name }) => movesOf(taker.kernel, name).length === 0 && usesAssigned(taker.kernel.body, name) === 0,
  );
  const known = new Map(
    steady.flatMap(({ name, constexpr }) => {
      const value = taker.passed.get(name);
      return value === undefined || value.text === tensor
        ? []
        : [[`${constexpr}:${hostWords(value, view)}`, name] as const];
    }),
  );
  const names = new Map<string, string>();
  const fresh = (name: string): string =>
    freshName(`${view.source} ${[...names.values()].join(" ")}`, `${name}_of`);
  for (const { name, constexpr } of pointwise.kernel.facts.parameters) {
    const value = pointwise.passed.get(name);
    const shared = value === undefined ? undefined : known.get(`${constexpr}:${hostWords(value, view)}`);
    names.set(name, shared ?? fresh(name));
  }
  const locals = pointwise.kernel.body
    .descendantsOfType("assignment")
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? []);
  for (const { text } of locals) if (!names.has(text)) names.set(text, fresh(text));
  return names;
}

function usesAssigned(body: SyntaxNode, name: string): number {
  return body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name).length;
}

interface SiteOf {
  readonly site: TakerSite;
  readonly names: ReadonlyMap<string, string>;
  readonly place: number;
}

/** The pointwise kernel's statements in front of a load, or in the place of a store. */
function siteEdits(
  view: TritonView,
  joint: Joint,
  { site, names, place }: SiteOf,
): readonly TextEdit[] | RuleHold {
  const { pointwise, before, tensor, kept: isKept } = joint;
  const { source } = view;
  const suffix = place === 0 ? "" : String(place + 1);
  const index = freshName(source, `${pointwise.rows === undefined ? "place" : "row_of_place"}${suffix}`);
  const value = freshName(source, `passed${suffix}`);
  const indent = indentOf(source, site.statement);
  const [, stored] = positional(site.call);
  const incoming = pointwise.loads.flatMap((load) => (load.tensor === tensor ? [load.parameter] : []));
  const given = new Map(before ? [] : incoming.map((parameter) => [parameter, value] as const));
  const rows = rowSiteIn(view, joint, site);
  if (isNot(rows)) return rows;
  const row = rows && { ...rows, row: index };
  const lines = writtenAt(view, pointwise, { index, row, mask: site.mask, given, names });
  if (!Array.isArray(lines)) return lines as RuleHold;
  const opening = `${index} = ${rows?.row ?? site.index}`;
  const { startIndex: start, endIndex: end } = site.statement;
  if (!before) {
    const all = [
      opening,
      `${value} = ${known(stored, "the value of a store").text}`,
      ...(lines as readonly string[]),
    ];
    return [{ start, end, text: all.join(`\n${indent}`) }];
  }
  const made = valueLines(pointwise, lines as readonly string[], value);
  const again = isKept && place === 0 ? storedAgain(site, { value, isInPlace: incoming.length > 0 }) : [];
  const text = [opening, ...made, ...again].map((line) => `${line}\n${indent}`).join("");
  return [{ start, end: start, text }, replaceNode(site.call, takenText(view, site, value))];
}

/**
 * The value stored where it would have been loaded. Of a row that is shorter than the threads of a program
 * several threads load an element that one of them stores: what is changed in place waits for all loads.
 */
function storedAgain(
  { call, mask }: TakerSite,
  { value, isInPlace }: { readonly value: string; readonly isInPlace: boolean },
): readonly string[] {
  const callee = fieldText(call.childForFieldName("function"), "object");
  const address = known(positional(call)[0], "the address of a load").text;
  const store = `${callee}.store(${address}, ${value}${mask === undefined ? "" : `, mask=${mask}`})`;
  return isInPlace ? [`${callee}.debug_barrier()`, store] : [store];
}

/** The store of the tensor gives a name its value instead. */
function valueLines({ store }: Pointwise, lines: readonly string[], value: string): readonly string[] {
  const callee = known(store.call.childForFieldName("function"), "what a call calls").text;
  const place = lines.findLastIndex((line) => line.startsWith(`${callee}(`));
  invariant(place >= 0, "the lines of a pointwise kernel hold its store");
  return lines.map((line, position) => {
    if (position !== place) return line;
    const inner = line.slice(callee.length + 1, -1);
    return `${value} = ${known(secondArgument(inner), "the value of a store")}`;
  });
}

/** The second of several arguments: behind the first comma that stands in no bracket. */
function secondArgument(text: string): string | undefined {
  const parts: string[] = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts[1]?.trim();
}

/** The value in the place of the load; lanes without an element get what the load gives them. */
function takenText(view: TritonView, { call, mask }: TakerSite, value: string): string {
  const other = partsOf(call.childForFieldName("arguments")).find(
    (node) => node.type === "keyword_argument" && node.childForFieldName("name")?.text === "other",
  );
  const given = other?.childForFieldName("value")?.text ?? positional(call)[2]?.text;
  const callee = fieldText(call.childForFieldName("function"), "object");
  return given === undefined || mask === undefined ? value : `${callee}.where(${mask}, ${value}, ${given})`;
}
