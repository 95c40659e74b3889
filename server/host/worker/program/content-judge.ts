import { known } from "../../../core/base/known";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { OracleJudgement, OracleSession } from "../evaluation/oracle-session";
import { loosen } from "../judging/thread-order";
import type { ContentPair, Matched } from "./last-contents";
import type { Reordered } from "./reordered-contents";

/** Compares what two runs of a program have left. */
export class ContentJudge {
  constructor(
    private readonly oracle: OracleSession,
    private readonly shapes: readonly ResolvedShape[],
  ) {}

  /** Compares contents with the tolerances of the spec; undefined where they are all outputs of no shape. */
  async judge(
    { pairs, shownAlone }: Matched,
    signal: AbortSignal,
    reordered?: Reordered,
  ): Promise<OracleJudgement | undefined> {
    const { oracle, shapes } = this;
    let judged: OracleJudgement | undefined;
    for (const shape of shapes) {
      const fitting = shape.outputs.map(({ name, bytes }) => {
        const own = pairs.filter(
          ({ output, before }) => output === name && before.content.byteLength === bytes,
        );
        return own.length === 0 && shownAlone ? [unseen(name, bytes)] : own;
      });
      const isNone = fitting.flat().every((pair) => !pairs.includes(pair));
      const rounds =
        isNone || fitting.some((each) => each.length === 0)
          ? 0
          : Math.max(...fitting.map(({ length }) => length));
      if (rounds === 0) continue;
      const made = await oracle.make(shape, "declared", signal);
      for (let round = 0; round < rounds && judged?.passed !== false; round += 1) {
        const chosen = fitting.map((each) => known(each[Math.min(round, each.length - 1)], "an allocation"));
        const outputs = chosen.map(({ before }) => before.content);
        const rounded = chosen.flatMap((pair) => pair.rounded ?? []);
        const isRounded = rounded.length === outputs.length;
        await oracle.expect(made, { outputs, ...(isRounded && { rounded }) }, signal);
        if (reordered !== undefined) {
          const other = chosen.map(({ before }) => reordered.get(before) ?? before.content);
          await loosen(oracle, { prepared: made, runs: [outputs, other] }, signal);
        }
        judged = await oracle.judge(
          made,
          chosen.map(({ now }) => now.content),
          signal,
        );
      }
      await oracle.forget(made);
    }
    return judged;
  }
}

/** An output that the program never looks at: it is like itself. */
function unseen(output: string, bytes: number): ContentPair {
  const content = { content: new Uint8Array(bytes), isPassedOn: false, writers: [] };
  return { output, before: content, now: content };
}
