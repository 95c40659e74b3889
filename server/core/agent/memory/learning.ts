import { at } from "../../base/known";
import { oneLine } from "../../base/text";
import type { SourceTree } from "../../judge/candidate";
import { timeThatCounts } from "../../judge/time-that-counts";
import type { CorrectVerdict } from "../../judge/verdict";
import type { SessionEvent, StoredText } from "../../trajectory/events";
import { baselineId } from "../../trajectory/state";
import { counterChanges } from "../../words/describe";
import { resumeState, type ResumedCandidate } from "../resume";
import { skillsToldIn } from "./memory-text";
import { rewriteOf } from "./rewrite";
import { type Skill, valueOf } from "./skill";

/** What a session leaves behind for the library. */
interface LearntFrom {
  readonly dialect: Skill["dialect"];
  readonly kernel: string;
  readonly target: string;
  readonly events: readonly SessionEvent[];
  readonly loadTree: (treeId: string) => Promise<SourceTree>;
  readonly loadText: (stored: StoredText) => Promise<string>;
}

/** A gain below this is a detail of its kernel. */
const leastGain = 1.1;
const newAtMost = 3;
const ideaLength = 300;
const rewriteLength = 6_000;
/** As many sessions are told a skill that helps none of them. */
const toldInVain = 12;
/** What a skill's name has at most of its kernel and of its technique. */
const namePartLength = 28;
/** More than this many skills are never kept; the least valued go. */
const libraryAtMost = 200;

/** A verified step: a candidate that became the best in the full check, and the best before it. */
interface Step {
  readonly made: Verified;
  readonly from: Verified;
}

interface Verified {
  readonly candidate: ResumedCandidate;
  readonly verdict: CorrectVerdict;
}

/**
 * The library after a session: skills that its candidates named have their use counted, those that do not
 * help are forgotten, and what the judge verified as a gain joins. Nothing of it is a model's claim.
 */
export async function learn(library: readonly Skill[], from: LearntFrom): Promise<readonly Skill[]> {
  const { candidates } = resumeState(from.events);
  const fresh = freshCandidates(from.events);
  const judged = candidates.filter(({ id }) => fresh.has(id));
  const [told, toldNow] = [
    await toldIn(from.events, from.loadText),
    await toldIn(from.events.slice(lastBegin(from.events)), from.loadText),
  ];
  const counted = library
    .map((skill) => (told.has(skill.id) ? withUses(skill, judged) : skill))
    .map((skill) => ({ ...skill, told: skill.told + (toldNow.has(skill.id) ? 1 : 0) }))
    .filter((skill) => !isUseless(skill));
  const steps = stepsOf(candidates)
    .toSorted((one, other) => gainOf(other) - gainOf(one))
    .slice(0, newAtMost);
  let known: readonly Skill[] = counted;
  for (const step of steps) known = joined(known, await skillOf(step, from));
  return known.toSorted((one, other) => valueOf(other) - valueOf(one)).slice(0, libraryAtMost);
}

/** Those since the session was begun or last resumed: what came before was counted when it ended. */
function freshCandidates(events: readonly SessionEvent[]): ReadonlySet<string> {
  const created = events
    .slice(lastBegin(events))
    .flatMap((event) => (event.type === "candidate.created" ? [event.data.candidate] : []));
  return new Set(created);
}

/** The place of the first event since the session was begun or last resumed. */
function lastBegin(events: readonly SessionEvent[]): number {
  return events.findLastIndex(({ type }) => type === "session.resumed") + 1;
}

/** The skills that a model was told: another one that it names is its own invention or hearsay. */
async function toldIn(
  events: readonly SessionEvent[],
  loadText: LearntFrom["loadText"],
): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (const event of events)
    if (event.type === "message.user" && event.data.steer !== true)
      for (const id of skillsToldIn(await loadText(event.data.text))) told.add(id);
  return told;
}

function withUses(skill: Skill, candidates: readonly ResumedCandidate[]): Skill {
  const naming = candidates.filter(
    ({ hypothesis, judged }) => judged !== undefined && citedIn(hypothesis).includes(skill.id),
  );
  const helped = naming.filter(({ judged }) => judged?.accepted === true).length;
  return { ...skill, used: skill.used + naming.length, helped: skill.helped + helped };
}

function citedIn(hypothesis: string): readonly string[] {
  return [...hypothesis.matchAll(/skill:([a-z0-9-]+)/g)].map(([, id = ""]) => id);
}

function isUseless({ told, used, helped }: Skill): boolean {
  return (
    (told >= toldInVain && helped === 0) || (used >= 3 && helped === 0) || (used >= 8 && helped * 4 < used)
  );
}

function stepsOf(candidates: readonly ResumedCandidate[]): readonly Step[] {
  const best = candidates.flatMap((candidate): readonly Verified[] => {
    const { judged, id } = candidate;
    const stands = judged?.accepted === true || id === baselineId;
    return stands && judged?.verdict.kind === "correct" && judged.verdict.tier === "full"
      ? [{ candidate, verdict: judged.verdict }]
      : [];
  });
  return best
    .slice(1)
    .map((made, index) => ({ made, from: at(best, index) }))
    .filter((step) => gainOf(step) >= leastGain);
}

function gainOf({ made, from }: Step): number {
  const time = timeThatCounts([from.verdict, made.verdict]);
  return time.of(from.verdict) / time.of(made.verdict);
}

async function skillOf(
  step: Step,
  { dialect, kernel, target, events, loadTree }: LearntFrom,
): Promise<Skill> {
  const { made, from } = step;
  const [old, proposed] = [await loadTree(from.candidate.treeId), await loadTree(made.candidate.treeId)];
  const [before, after] = [from.verdict.bound.binding, made.verdict.bound.binding];
  const changes = counterChanges(from.verdict.counters.totals, made.verdict.counters.totals);
  return {
    id: `${wordOf(kernel)}-${before}-to-${after}-${wordOf(techniqueOf(made.candidate))}`
      .toLowerCase()
      .slice(-80),
    ...{ dialect, target, before, after },
    gain: Number(gainOf(step).toPrecision(3)),
    where: `${kernel}, ${at(events, 0).ts.slice(0, 10)}`,
    idea: oneLine(made.candidate.hypothesis).slice(0, ideaLength),
    counted: changes.map((change) => `${change.label} ${change.before} → ${change.after}`),
    rewrite: rewriteOf(old, proposed, rewriteLength),
    ...{ told: 0, used: 0, helped: 0 },
  };
}

/** The rule that made it, or the first words of its idea: two techniques on one kernel are two skills. */
function techniqueOf({ origin, hypothesis }: ResumedCandidate): string {
  const rule = /^rulebook:(.+)$/.exec(origin)?.[1];
  return rule ?? hypothesis.replaceAll(/skill:[a-z0-9-]+/g, "").trim();
}

/** Letters and digits, whole words as far as there is room. */
function wordOf(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ["unnamed"];
  const kept = words.reduce((whole, word) =>
    whole.length + word.length < namePartLength ? `${whole}-${word}` : whole,
  );
  return kept.slice(0, namePartLength);
}

/**
 * One skill for each name or rewrite: the greater gain stays, under the name that it had, and what was
 * counted of its use.
 */
function joined(known: readonly Skill[], made: Skill): readonly Skill[] {
  const same = known.find(({ id, rewrite }) => id === made.id || rewrite === made.rewrite);
  if (same === undefined) return [...known, made];
  if (same.gain >= made.gain) return known;
  const { id, told, used, helped } = same;
  return known.map((skill) => (skill === same ? { ...made, id, told, used, helped } : skill));
}
