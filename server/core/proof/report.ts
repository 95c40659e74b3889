import type { KernelProof, ProofAnswer, ProofQuestion } from "../judge/proof";
import type { PtxModule } from "../vgpu/ptx/module";
import type { LaunchClass } from "./launch-class";
import { type Walked, walkLaunches } from "./prove";
import { type AccessAnswer, answersOf } from "./questions";
import { type RaceAnswer, racesOf } from "./races/races";

const questions: readonly ProofQuestion[] = ["in-bounds", "aligned"];

/** What holds of a kernel for all launches of a class. */
export function proveKernel(module: PtxModule, entry: string, launches: LaunchClass): KernelProof {
  const walked = walkLaunches(module, entry, launches);
  const assumed = assumptionsOf(launches);
  if (!walked.ok)
    return {
      ...{ kernel: launches.spec.kernel, assumed },
      answers: questions.map((question) => ({
        ...{ question, outcome: "not-decided", asked: 0, open: 0, why: walked.problem },
      })),
    };
  const all = answersOf(walked.value);
  const answers = questions.flatMap((question) => {
    const own = all.filter((answer) => answer.question === question);
    return own.length === 0 ? [] : [answerOf(question, own, walked.value)];
  });
  const races = racesOf(walked.value);
  if (races) answers.push(raceAnswer(races, walked.value));
  return { kernel: launches.spec.kernel, answers, assumed };
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
function assumptionsOf({ block, grid }: LaunchClass): readonly string[] {
  return [
    "sizes from 1 to 10⁹",
    "at most 10⁹ elements in a buffer",
    `blocks of ${block.join(" × ")} threads`,
    ...(grid === undefined
      ? ["at most 10⁹ threads along an axis"]
      : [`a grid of ${grid.join(" × ")} blocks`]),
  ];
}
