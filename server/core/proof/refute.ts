import { entry } from "../base/known";
import type { KernelProof, ProofAnswer, ProofQuestion, ProofWitness, WitnessSizes } from "../judge/proof";
import type { Finding } from "../judge/verdict";
import { multipleOfAll } from "../workload/cases/smaller-sizes";
import type { LookedAt, Refutable } from "./report";

/** A launch that was run, and what was found in it. */
interface ShownLaunch {
  readonly sizes: WitnessSizes;
  readonly findings: readonly Finding[];
}

/** The finding that shows the contrary of each question. */
const contraries: Readonly<Record<ProofQuestion, string>> = {
  "in-bounds": "out-of-bounds",
  aligned: "misaligned",
  "race-free": "shared-race",
};

/**
 * The proof with what a launch refutes of it; the same one where that is nothing. `listed`: the sizes of the
 * spec's shapes. What is proved stays, and so does what is open for the contents of memory alone.
 */
export function refutedBy(
  { proof, refutable }: Pick<LookedAt, "proof" | "refutable">,
  launch: ShownLaunch,
  listed: readonly WitnessSizes[],
): KernelProof {
  const answers = proof.answers.map((answer) => {
    if (answer.outcome !== "not-decided") return answer;
    const finding = launch.findings.find(
      (each) => each.kind === contraries[answer.question] && isAsked(refutable, answer, each),
    );
    return finding === undefined ? answer : refuted(answer, finding, unlike(launch.sizes, listed));
  });
  return answers.some((answer, index) => answer !== proof.answers[index]) ? { ...proof, answers } : proof;
}

function isAsked(refutable: Refutable, { question }: ProofAnswer, { file, line }: Finding): boolean {
  const places = refutable[question];
  return places === "any" || places.some((place) => place.file === file && place.line === line);
}

function refuted(
  { question, asked, open }: ProofAnswer,
  { file, line, message, block, thread, other }: Finding,
  where: Pick<ProofWitness, "sizes" | "unlike">,
): ProofAnswer {
  const also = other && {
    ...(other.block && { block: other.block }),
    ...(other.thread && { thread: other.thread }),
    line: other.line,
  };
  const witness = {
    ...where,
    ...(block && { block }),
    ...(thread && { thread }),
    ...(also && { other: also }),
  };
  const place = file === "" ? {} : { file, ...(line > 0 && { line }) };
  return { question, outcome: "refuted", asked, open, why: message, ...place, witness };
}

function unlike(
  sizes: WitnessSizes,
  listed: readonly WitnessSizes[],
): Pick<ProofWitness, "sizes" | "unlike"> {
  const steps = Object.keys(sizes).map((size) => ({
    size,
    step: multipleOfAll(listed.flatMap(({ [size]: value }) => (value === undefined ? [] : [value]))),
  }));
  const others = steps.filter(({ size, step }) => entry(sizes, size) % step !== 0);
  return { sizes, ...(others.length > 0 && { unlike: others }) };
}

/** The proof, with how many launches were tried in vain to refute what is still open. */
export function triedInVain(proof: KernelProof, tried: number): KernelProof {
  if (tried === 0) return proof;
  const answers = proof.answers.map((answer) =>
    answer.outcome === "not-decided" ? { ...answer, tried } : answer,
  );
  return { ...proof, answers };
}

/** Whether something is still open that a launch could refute. */
export function isOpen({ answers }: KernelProof): boolean {
  return answers.some(({ outcome }) => outcome === "not-decided");
}
