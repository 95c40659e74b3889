import { retold, t } from "../base/localized";
import type { KernelProof, ProofAnswer, ProofQuestion } from "../judge/proof";
import type { CorrectVerdict } from "../judge/verdict";
import { describeSizes } from "./describe";
import { protectionLines } from "./names/protections";
import { plural } from "./quantities";

const proved: Readonly<Record<ProofQuestion, string>> = {
  "in-bounds": "in bounds",
  aligned: "aligned",
  "race-free": "free of races in shared memory",
};

/** What protected the run of a correct version, and what holds of it for all sizes, a line each. */
export function groundLines({
  protections,
  proofs = [],
}: Pick<CorrectVerdict, "protections" | "proofs">): readonly string[] {
  return [...protectionLines(protections), ...proofLines(proofs)];
}

/**
 * What was shown for all sizes, what a launch refuted, what was not decided, and what the proofs rest on, a
 * line each. Nothing of a kernel of which nothing was asked.
 */
export function proofLines(proofs: readonly KernelProof[]): readonly string[] {
  return proofs.flatMap((proof) => {
    const whose = proofs.length > 1 ? `${proof.kernel}: ` : "";
    const of = (outcome: ProofAnswer["outcome"]): readonly ProofAnswer[] =>
      proof.answers.filter((answer) => answer.outcome === outcome);
    const shown = of("proved");
    const assumed = t`, assumed ${proof.assumed.map(retold).join(", ")}`;
    return [
      ...(shown.length === 0
        ? []
        : [t`${whose}proved for all sizes: ${shown.map(describeProved).join(", ")}${assumed}`]),
      ...of("refuted").map(
        (answer) => t`${whose}refuted for all sizes: ${describeRefuted(answer, placeBefore(answer))}`,
      ),
      ...of("not-decided").map((answer) => t`${whose}not decided for all sizes: ${describeOpen(answer)}`),
    ];
  });
}

/** The launch that shows the contrary, and what the virtual GPU said of it. `place`: before its words. */
export function describeRefuted({ question, why = "", witness }: ProofAnswer, place = ""): string {
  const sizes = witness === undefined ? "" : describeSizes(witness.sizes);
  const unlike = (witness?.unlike ?? []).map(
    ({ size, step }) => t`every listed ${size} is a multiple of ${step}`,
  );
  const beside = unlike.length === 0 ? "" : ` (${unlike.join(", ")})`;
  return t`${retold(proved[question])}, not at ${sizes === "" ? t`the only shape` : sizes}${beside}: ${place}${retold(why)}`;
}

function placeBefore({ file, line }: ProofAnswer): string {
  return file === undefined || line === undefined ? "" : `${file}:${line}: `;
}

function describeProved({ question, asked }: ProofAnswer): string {
  return `${counted(asked, question)} ${retold(proved[question])}`;
}

function describeOpen({ question, asked, open, why = "", file, line, tried }: ProofAnswer): string {
  const of = asked === 0 ? "" : t`, ${open} of ${counted(asked, question)}`;
  const place = file === undefined || line === undefined ? "" : ` (${file}:${line})`;
  const vain =
    tried === undefined ? "" : t`; ${plural(tried, "launch", "es")} at other sizes did not show the contrary`;
  return `${retold(proved[question])}${of}: ${retold(why)}${place}${vain}`;
}

function counted(count: number, question: ProofQuestion): string {
  return question === "race-free" ? plural(count, "pair") : plural(count, "access", "es");
}
