import type { KernelProof, ProofAnswer, ProofQuestion } from "../judge/proof";
import { plural } from "./quantities";

const proved: Readonly<Record<ProofQuestion, string>> = {
  "in-bounds": "in bounds",
  aligned: "aligned",
  "race-free": "free of races in shared memory",
};

/**
 * What was shown for all sizes, what was not, and what it rests on, a line each. Nothing of a kernel of which
 * nothing was asked.
 */
export function proofLines(proofs: readonly KernelProof[]): readonly string[] {
  return proofs.flatMap((proof) => {
    const whose = proofs.length > 1 ? `${proof.kernel}: ` : "";
    const shown = proof.answers.filter(({ outcome }) => outcome === "proved");
    const open = proof.answers.filter(({ outcome }) => outcome === "not-decided");
    const assumed = `, assumed ${proof.assumed.join(", ")}`;
    return [
      ...(shown.length === 0
        ? []
        : [`${whose}proved for all sizes: ${shown.map(describeProved).join(", ")}${assumed}`]),
      ...open.map((answer) => `${whose}not decided for all sizes: ${describeOpen(answer)}`),
    ];
  });
}

function describeProved({ question, asked }: ProofAnswer): string {
  return `${counted(asked, question)} ${proved[question]}`;
}

function describeOpen({ question, asked, open, why = "", file, line }: ProofAnswer): string {
  const of = asked === 0 ? "" : `, ${open} of ${counted(asked, question)}`;
  const place = file === undefined || line === undefined ? "" : ` (${file}:${line})`;
  return `${proved[question]}${of}: ${why}${place}`;
}

function counted(count: number, question: ProofQuestion): string {
  return question === "race-free" ? plural(count, "pair") : plural(count, "access", "es");
}
