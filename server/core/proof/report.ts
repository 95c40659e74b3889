import type { KernelProof, ProofAnswer, ProofQuestion, WitnessSizes } from "../judge/proof";
import type { PtxModule, SourceLine } from "../vgpu/ptx/module";
import { OutOfReachError } from "./decide/form";
import type { LaunchClass } from "./launch-class";
import { type Walked, walkLaunches } from "./prove";
import { type AccessAnswer, answersOf, memoryOf } from "./questions";
import { type RaceAnswer, racesOf } from "./races/races";
import { type UnstatedExtent, unstatedExtents } from "./stated-extents";
import { suspectSizes } from "./suspects";

const questions: readonly ProofQuestion[] = ["in-bounds", "aligned"];

/** What was found out of a kernel without running it. */
export interface LookedAt {
  readonly proof: KernelProof;
  /** Sizes at which a launch may refute what is not decided, the most telling first. */
  readonly suspects: readonly WitnessSizes[];
  readonly refutable: Refutable;
}

/**
 * Where a finding refutes each question: at accesses that are open although nothing in their address comes
 * from memory, whose contents may be against what the spec means.
 */
export type Refutable = Readonly<Record<ProofQuestion, readonly SourceLine[] | "any">>;

/**
 * What holds of a kernel for all launches of a class. Numbers that grow too large while it is gone through or
 * asked about leave it undecided.
 */
export function proveKernel(module: PtxModule, entry: string, launches: LaunchClass): LookedAt {
  try {
    const walked = walkLaunches(module, entry, launches);
    return walked.ok ? lookedAt(walked.value, launches) : undecided(launches, walked.problem);
  } catch (thrown) {
    if (!(thrown instanceof OutOfReachError)) throw thrown;
    return undecided(launches, `its indices are not followed (${thrown.message})`);
  }
}

function undecided(launches: LaunchClass, why: string): LookedAt {
  const answers = questions.map((question) => ({
    ...{ question, outcome: "not-decided" as const, asked: 0, open: 0, why },
  }));
  const refutable = { "in-bounds": [], aligned: [], "race-free": "any" as const };
  const proof = { kernel: launches.spec.kernel, assumed: assumptionsOf(launches), answers };
  return { proof, suspects: [], refutable };
}

function lookedAt(walked: Walked, launches: LaunchClass): LookedAt {
  const all = answersOf(walked);
  const unstated = unstatedExtents(launches);
  const told = all.map((answer) => restingOn(unstated, answer, walked));
  const answers = questions.flatMap((question) => {
    const own = told.filter((answer) => answer.question === question);
    return own.length === 0 ? [] : [answerOf(question, own, walked)];
  });
  const races = racesOf(walked);
  if (races) answers.push(raceAnswer(races, walked));
  const isRaceOpen = races?.why !== undefined;
  return {
    proof: {
      kernel: launches.spec.kernel,
      answers,
      assumed: assumptionsOf(launches, touched(unstated, walked)),
    },
    suspects: suspectSizes(walked, launches, { answers: all, isRaceOpen }),
    refutable: {
      "in-bounds": openPlaces(
        all.filter((answer) => !isOfGuess(unstated, answer, walked)),
        "in-bounds",
        walked,
      ),
      aligned: openPlaces(all, "aligned", walked),
      "race-free": "any",
    },
  };
}

/**
 * An answer that does not rest on an extent made up of the kernel's own accesses: a kernel without a guard
 * touches whole blocks of elements, and whether its buffer has them nobody said.
 */
function restingOn(
  unstated: ReadonlyMap<string, UnstatedExtent>,
  answer: AccessAnswer,
  walked: Walked,
): AccessAnswer {
  if (answer.question !== "in-bounds" || answer.why !== undefined) return answer;
  const extent = unstated.get(memoryOf(walked, answer) ?? "");
  if (extent?.isRoundedUp !== true) return answer;
  const why = `it touches all of ${extent.text}, whole blocks of elements, and nobody said that there are so many`;
  return { ...answer, why };
}

/** Whether how long the memory is that is accessed is a guess: what goes beyond refutes the guess alone. */
function isOfGuess(
  unstated: ReadonlyMap<string, UnstatedExtent>,
  answer: AccessAnswer,
  walked: Walked,
): boolean {
  return unstated.get(memoryOf(walked, answer) ?? "")?.origin === "guessed";
}

/** The extents that nobody stated of the memories that a kernel touches. */
function touched(unstated: ReadonlyMap<string, UnstatedExtent>, walked: Walked): readonly UnstatedExtent[] {
  const names = new Set(walked.accesses.map((access) => memoryOf(walked, { access })));
  return [...unstated].flatMap(([name, extent]) => (names.has(name) ? [extent] : []));
}

/** As a finding names a place without lines. */
const unknownPlace: SourceLine = { file: "", line: 0 };

function openPlaces(
  all: readonly AccessAnswer[],
  question: ProofQuestion,
  { lines }: Walked,
): readonly SourceLine[] {
  return all
    .filter((answer) => answer.question === question && answer.why !== undefined && answer.isFollowed)
    .map(({ access }) => lines.of(access.instruction.location) ?? unknownPlace);
}

function answerOf(question: ProofQuestion, own: readonly AccessAnswer[], { lines }: Walked): ProofAnswer {
  const open = own.filter(({ why }) => why !== undefined);
  const [first] = open;
  const counted = { question, asked: own.length, open: open.length };
  if (first?.why === undefined) return { ...counted, outcome: "proved" };
  const place = lines.of(first.access.instruction.location);
  return { ...counted, outcome: "not-decided", why: first.why, ...place };
}

function raceAnswer({ asked, open, why, access }: RaceAnswer, { lines }: Walked): ProofAnswer {
  const counted = { question: "race-free" as const, asked, open };
  if (why === undefined) return { ...counted, outcome: "proved" };
  const place = access && lines.of(access.instruction.location);
  return { ...counted, outcome: "not-decided", why, ...place };
}

/** What is taken for granted of the launches, in clauses. */
function assumptionsOf(
  { block, grid }: LaunchClass,
  unstated: readonly UnstatedExtent[] = [],
): readonly string[] {
  return [
    "sizes from 1 to 10⁹",
    "at most 10⁹ elements in a buffer",
    `blocks of ${block.join(" × ")} threads`,
    ...(grid === undefined
      ? ["at most 10⁹ threads along an axis"]
      : [`a grid of ${grid.join(" × ")} blocks`]),
    ...unstated.map(({ text, origin }) => `${text} (${origin}, not stated)`),
  ];
}
