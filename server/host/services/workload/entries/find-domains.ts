import { at } from "../../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import {
  type Elements,
  fitBuffers,
  type FittedBuffer,
  misfit,
} from "../../../../core/workload/probe/judge-probe";
import type { Setting } from "../../../../core/workload/probe/settings";
import { withStrides } from "../../../../core/workload/probe/shapes/plan";
import { type SizeRelation, withRelations } from "../../../../core/workload/probe/shapes/size-relations";
import type { SizeConditions } from "../../../../core/language/cuda/entry/size-conditions";
import { allowed, askedDomain, type Domain, type Domains, type SearchScale, settingsWithin } from "./domains";
import type { EntryProbes, EntrySession } from "./entry-session";

export { allowed };

/** What the text of an entry says of its numbers, by their names. */
export interface SizeText {
  /** What has to hold of them. */
  readonly asked: SizeConditions;
  /** What they are compared with: values of which one may choose a kernel. */
  readonly compared: ReadonlyMap<string, readonly number[]>;
}

/** The sizes that are looked for. */
interface Sought {
  readonly names: readonly string[];
  readonly text: SizeText;
  readonly elements: Elements;
}

/** Calls that worked, and the values that their sizes may have. */
export interface FoundCalls {
  readonly domains: Domains;
  /** What holds of sizes and others in all calls. */
  readonly relations: readonly SizeRelation[];
  readonly scale: SearchScale;
  readonly probes: EntryProbes;
  readonly buffers: readonly FittedBuffer[];
}

/** Families of values that all sizes are tried with, plainest first, with what they add to a misfit. */
const families: readonly { readonly domain: Domain; readonly cost: number }[] = [
  { domain: { kind: "any" }, cost: 0 },
  { domain: { kind: "multiples", of: 4 }, cost: 0.3 },
  { domain: { kind: "multiples", of: 32 }, cost: 0.3 },
  { domain: { kind: "multiples", of: 64 }, cost: 0.3 },
  { domain: { kind: "multiples", of: 128 }, cost: 0.3 },
  { domain: { kind: "multiples", of: 256 }, cost: 0.4 },
  { domain: { kind: "powers" }, cost: 0.4 },
];
/** Small values that a number may be limited to: a filter's width, a count that a template is chosen by. */
const smallValues = [3, 4, 1, 2, 8, 5, 16, 32];
/** Calls that fit as well as this are taken at once: odd sizes show most. */
const goodFit = 4;
/** What `misfit` adds for a size that no extent depends on; a number of rounds is none. */
const unusedCost = 3;
/** What is added where the calls wrote nothing: a product of whole tiles leaves out what is less than one. */
const idleCost = 200;
/** Of more sizes than this the work may be the product. */
const manySizes = 3;
/** What is said of a call that has too much work for a search. */
const tooMuchWork = /did not end within/;

/**
 * Finds values of the sizes with which an entry runs: such as its conditions ask for, all others odd; where
 * that fails or leaves gaps, multiples, powers of two; and a number or two of small values beside them. The
 * problem: what the first call came to.
 */
export async function findCalls(session: EntrySession, sought: Sought): Promise<Outcome<FoundCalls, string>> {
  const problems: string[] = [];
  const found = await findSized(session, sought, problems);
  // A condition may be that of one branch, or not be understood.
  const isAsked = sought.names.some((name) => sought.text.asked.has(name));
  if (found !== undefined || !isAsked)
    return found === undefined ? fail(problemOf(problems)) : succeed(found);
  session.renew();
  const plain = { ...sought, text: { ...sought.text, asked: new Map() } };
  const other = await findSized(session, plain, problems);
  return other === undefined ? fail(problemOf(problems)) : succeed(other);
}

async function findSized(
  session: EntrySession,
  sought: Sought,
  problems: string[],
): Promise<FoundCalls | undefined> {
  const { names, elements } = sought;
  const relations = relationsOf(sought);
  let best: { readonly calls: FoundCalls; readonly ill: number } | undefined;
  const scales = scalesOf(names.length);
  for (const scale of scales) {
    for (const { domain, cost } of familiesOf(names.length)) {
      const tried = await tryCalls(session, domainsOf(sought, domain), {
        ...{ scale, elements, relations },
      });
      if (!tried.ok) {
        problems.push(tried.problem);
        if (isOfHost.test(tried.problem)) return undefined;
        // Other values of that scale have as much work.
        if (scale !== scales.at(-1) && tooMuchWork.test(tried.problem)) break;
        continue;
      }
      const ill = illness(tried.value, names) + cost;
      if (best === undefined || ill < best.ill) best = { calls: tried.value, ill };
      if (best.ill < goodFit) return best.calls;
    }
    if (best !== undefined) return best.calls;
  }
  return findLimited(session, sought);
}

/** Scales of a search: with many sizes the least may be too much work, too. */
function scalesOf(sizes: number): readonly SearchScale[] {
  if (sizes > manySizes) return ["small", "least"];
  if (sizes === 0) return ["small"];
  return sizes > 2 ? ["small"] : ["large", "small"];
}

/** Without sizes all calls are the same. */
function familiesOf(sizes: number): typeof families {
  return sizes === 0 ? families.slice(0, 1) : families;
}

/** The scale with the least work for so many sizes. */
function leastScale(sizes: number): SearchScale {
  return scalesOf(sizes).at(-1) ?? "small";
}

/** The values of each size: those of a family, where the entry's conditions say nothing else. */
function domainsOf({ names, text }: Sought, family: Domain): Domains {
  return new Map(
    names.map((name) => {
      const asked = text.asked.get(name);
      return [name, asked === undefined ? family : askedDomain(asked, family)];
    }),
  );
}

function relationsOf({ text }: Pick<Sought, "text">): readonly SizeRelation[] {
  return [...text.asked.values()].flatMap(({ related = [] }) => related);
}

/** What no number changes: a kernel is handed an address of host memory. */
const isOfHost = /which is no address of device memory/;

/** What is said of an entry all of whose calls left memory that it had allocated by itself. */
export const leavesOwnMemory = "memory that it allocated itself, whatever the sizes are";
const behindOwn = /behind the end of "allocation \d+" \((\d+) bytes\)/;

function problemOf(problems: readonly string[]): string {
  const [first = "nothing was tried"] = problems;
  const sizes = new Set(problems.map((problem) => behindOwn.exec(problem)?.[1]));
  return sizes.size > 1 && !sizes.has(undefined) ? `${first}: it leaves ${leavesOwnMemory}` : first;
}

function illness({ buffers, probes }: FoundCalls, names: readonly string[]): number {
  const used = buffers.map(({ extent }) => extent ?? "").join(" ");
  const unused = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(used)).length;
  const idle = buffers.some(({ isWritten }) => isWritten) ? 0 : idleCost;
  return misfit(buffers, probes, { grid: [], names }) - unusedCost * unused + idle;
}

async function tryCalls(
  session: EntrySession,
  domains: Domains,
  { scale, elements, relations }: Pick<FoundCalls, "scale" | "relations"> & Pick<Sought, "elements">,
): Promise<Outcome<FoundCalls, string>> {
  const settings = settingsWithin(domains, scale, relations);
  const calls = async (sizes: readonly Setting[]): Promise<Outcome<FoundCalls, string>> => {
    const probes = await session.series(sizes);
    if (!probes.ok) return probes;
    return succeed(fittedCalls(session, { domains, scale, relations }, { probes: probes.value, elements }));
  };
  const first = await calls(settings);
  if (!first.ok) return first;
  const extents = first.value.buffers.flatMap(({ extent }) => extent ?? []);
  const nearest = (name: string, value: number): number => allowed(domains, name, value);
  const apart = settings.map((sizes) =>
    withRelations(withStrides(sizes, extents, nearest), relations, nearest),
  );
  if (JSON.stringify(apart) === JSON.stringify(settings)) return first;
  const again = await calls(apart);
  return again.ok ? again : first;
}

/** Calls with what is fitted to how far they touched each buffer. */
export function fittedCalls(
  session: EntrySession,
  { domains, scale, relations }: Pick<FoundCalls, "domains" | "scale" | "relations">,
  { probes, elements }: { readonly probes: EntryProbes; readonly elements: Elements },
): FoundCalls {
  const fitted = fitBuffers(probes, elements, { divide: blocksOf(probes), terms: session.terms });
  return { domains, scale, relations, probes, buffers: fitted.map((each) => asKnown(each, session)) };
}

/** Of a buffer whose number of elements is known it does not matter what was touched. */
function asKnown(buffer: FittedBuffer, { lengths }: EntrySession): FittedBuffer {
  const length = lengths.get(buffer.name);
  return typeof length === "number" ? { ...buffer, extent: length, before: 0 } : buffer;
}

/** Extents of blocks that were launched: partial results are one for each of them. */
function blocksOf({ observations }: EntryProbes): readonly number[] {
  const threads = observations.flatMap(({ launches }) =>
    launches.flatMap(({ block: [x, y, z] }) => [x, x * y * z, 2 * x]),
  );
  return [...new Set(threads)].filter((count) => count > 1).slice(0, 12);
}

/** One number, or two, among few values. */
async function findLimited(session: EntrySession, sought: Sought): Promise<FoundCalls | undefined> {
  const { names, text, elements } = sought;
  const scale = leastScale(names.length);
  const relations = relationsOf(sought);
  const plain: readonly Domain[] = [{ kind: "any" }, { kind: "multiples", of: 32 }, { kind: "powers" }];
  const single = names.map((name) => [name]);
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]));
  const isCompared = (limited: readonly string[]): boolean => limited.some((name) => text.compared.has(name));
  const ordered = [...single, ...pairs]
    .reverse()
    .sort((a, b) => Number(isCompared(b)) - Number(isCompared(a)) || a.length - b.length);
  for (const limited of ordered)
    for (const domain of plain)
      for (const value of valuesOf(limited, text)) {
        // Thirty sizes have thousands of pairs of values.
        if (session.isUsedUp) return undefined;
        const few: Domain = { kind: "few", values: [value] };
        const around = domainsOf(sought, domain);
        const domains = new Map(
          [...around].map(([name, each]) => [name, limited.includes(name) ? few : each]),
        );
        const [setting = {}] = settingsWithin(domains, scale, relations);
        if (!(await session.once(setting)).ok) continue;
        const wider = await widened(session, { domains, relations }, limited);
        const tried = await tryCalls(session, wider, { scale, elements, relations });
        if (tried.ok) return tried.value;
        const narrow = await tryCalls(session, domains, { scale, elements, relations });
        if (narrow.ok) return narrow.value;
      }
  return undefined;
}

/** Values that limited numbers are tried with: what the text compares one of them with comes first. */
function valuesOf(limited: readonly string[], { compared }: SizeText): readonly number[] {
  const told = limited.flatMap((name) => compared.get(name) ?? []);
  return [...new Set([...told, ...smallValues])];
}

/** All small values that a limited number may have. */
async function widened(
  session: EntrySession,
  { domains, relations }: Pick<FoundCalls, "domains" | "relations">,
  limited: readonly string[],
): Promise<Domains> {
  const found = new Map(domains);
  const [setting = {}] = settingsWithin(domains, leastScale(domains.size), relations);
  for (const name of limited) {
    const values: number[] = [];
    for (const value of [1, 2, 3, 4, 5, 7, 8, 16, 32])
      if ((await session.once({ ...setting, [name]: value })).ok) values.push(value);
    found.set(name, { kind: "few", values: values.length === 0 ? [at(smallValues, 0)] : values });
  }
  return found;
}
