import type { ContentJudge } from "./content-judge";
import type { Matched } from "./last-contents";
import type { ProgramRan } from "./program-run";

interface HostMade {
  readonly before: ProgramRan;
  readonly now: ProgramRan;
  readonly matched: Matched;
  readonly contents: ContentJudge;
  readonly signal: AbortSignal;
}

/** Work that host code does is not priced: results have to come from kernels. What says that they do not. */
export async function hostMade({
  before,
  now,
  matched,
  contents,
  signal,
}: HostMade): Promise<readonly string[]> {
  const { pairs, shownAlone } = matched;
  const unwritten = pairs.find((pair) => pair.now.writers.length === 0);
  if (unwritten !== undefined) return [`no kernel of the program changes ${unwritten.output} any more`];
  const old = before.run.hostWritten;
  const added = now.run.hostWritten.filter((content) => !old.some((each) => isEqual(each, content)));
  for (const content of added)
    for (const pair of pairs) {
      if (content.byteLength !== pair.before.content.byteLength) continue;
      const instead = pairs.map((each) =>
        each === pair ? { ...pair, now: { content, isPassedOn: false, writers: [] } } : each,
      );
      if ((await contents.judge({ pairs: instead, shownAlone }, signal))?.passed === true)
        return [`the host code computed ${pair.output} itself; the kernels were handed the answer`];
    }
  return [];
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
