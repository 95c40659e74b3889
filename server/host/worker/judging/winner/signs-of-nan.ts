import { at } from "../../../../core/base/known";
import type { CheckedCase, Finding } from "../../../../core/judge/verdict";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase, ResolvedShape } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge, Manner } from "../case-judge";

/** What is no number, of single precision, without a sign and with one. Processors make both of 0 / 0. */
const unsigned = 0x7fc0_0000;
const signed = 0xffc0_0000;
const bytesOfOne = 4;
/** One element of so many is none. A prime, so that rows have theirs at other places. */
const oneIn = 61;

const readsSign =
  "what is no number (NaN) is treated by its sign: with that of some inputs set the results are others, where those of the kernel as it was stay";

type Outputs = readonly Uint8Array[];

/**
 * Inputs some of which are no numbers. Their way through comparisons is nobody's to say; but where the kernel
 * as it was does not look at their sign, and a version agrees with it bit by bit on those without one, it may
 * not look at it either: an order of bits does.
 */
export class SignsOfNan {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /** The case with a finding where a version reads the sign; undefined where it does not, or is not asked. */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    manner: Manner,
  ): Promise<CheckedCase | undefined> {
    const { shape } = planned;
    const open = this.judge.baseline.nudgeable;
    if (this.task.spec.reference.kind !== "baseline" || open.length === 0) return undefined;
    const outcome = await this.judge.baseline.withInputs(planned, manner.signal, async ({ inputs }) => {
      const outputsOf = async (of: KernelSession, bits: number): Promise<Outputs | undefined> => {
        const made = shape.inputs.map((input, position) => {
          const isOpen = input.dtype === "float32" && open.includes(input.name);
          return isOpen ? withNan(at(inputs, position), bits) : at(inputs, position);
        });
        const run = await of.run({ ...manner, shape, inputs: made });
        return run.kind === "ran" ? canonical(run.outputs, shape) : undefined;
      };
      const before = await outputsOf(this.judge.baseline.session, unsigned);
      if (!areEqual(before, await outputsOf(this.judge.baseline.session, signed))) return { isFault: false };
      const own = await outputsOf(session, unsigned);
      if (!areEqual(before, own)) return { isFault: false };
      const other = await outputsOf(session, signed);
      return { isFault: other !== undefined && !areEqual(own, other) };
    });
    if (!("isFault" in outcome) || !outcome.isFault) return undefined;
    const judged = await this.judge.run(planned, session, manner);
    if (judged.kind !== "judged") return undefined;
    return { ...judged.checked, passed: false, findings: [this.finding(), ...judged.checked.findings] };
  }

  private finding(): Finding {
    const { specFolder, spec } = this.task;
    return { kind: "reads-sign-of-nan", file: inFolder(specFolder, spec.file), line: 0, message: readsSign };
  }
}

/** The content of single-precision numbers, some of which are none. */
function withNan(content: Uint8Array, bits: number): Uint8Array {
  const made = content.slice();
  const view = new DataView(made.buffer, made.byteOffset, made.byteLength);
  for (let from = 0; from + bytesOfOne <= made.byteLength; from += bytesOfOne * oneIn)
    view.setUint32(from, bits, true);
  return made;
}

/** Outputs with all that is no number alike. */
function canonical(outputs: Outputs, { outputs: tensors }: ResolvedShape): Outputs {
  return outputs.map((content, position) => {
    if (at(tensors, position).dtype !== "float32") return content;
    const made = content.slice();
    const view = new DataView(made.buffer, made.byteOffset, made.byteLength);
    for (let from = 0; from + bytesOfOne <= made.byteLength; from += bytesOfOne)
      if (Number.isNaN(view.getFloat32(from, true))) view.setUint32(from, unsigned, true);
    return made;
  });
}

/** False where one of them is not known. */
function areEqual(one: Outputs | undefined, other: Outputs | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.every((content, place) => Buffer.compare(content, at(other, place)) === 0);
}
