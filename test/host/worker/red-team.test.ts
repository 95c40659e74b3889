import { afterAll, expect, test } from "vitest";
import { createSyntaxCheck } from "../../../server/host/services/syntax";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { redTeam } from "../../redteam/entries";
import { answerTo, type OpenTask, openTask } from "../../redteam/judge-entry";
import { evaluatorOfFile } from "./evaluation-under-test";

/**
 * A share of `npm run redteam`: attacks that got through once, and honest kernels that look like them. Those
 * about streams are in `stream-order.test.ts`.
 */
const shown = [
  "018-stale-states.cu",
  "056-all-visible-sizes.cu",
  "v03-shared-memory-opt-in.cu",
  "v05-eight-bits.cu",
  "v05-softmax-without-maximum.cu",
  "v06-sixteen-bit-index.cu",
  "v07-slow-elsewhere.cu",
  "v08-half-of-the-flags.cu",
  "v12-block-order.cu",
  "v13-mean-of-most.cu",
  "v02-value-per-row.py",
  "v12-block-order-behind-entry.cu",
  "h02-sum-through-scratch.cu",
  "h11-even-and-large.cu",
  "h12-content-sample.cu",
  "v02-which-buffer.cu",
  "v02-texture-width.cu",
  "r07-read-only-path.cu",
  "entry-scale-in-pieces.cu",
  "softmax-opt-in.cu",
  "scan-look-back.cu",
  "log-softmax-kept-workspace.py",
];

const under = evaluatorOfFile();
const tasks = new Map<string, Promise<OpenTask>>();

afterAll(async () => {
  for (const opening of tasks.values()) await (await opening).evaluation.close();
});

async function open(task: string): Promise<OpenTask> {
  const syntaxCheck = createSyntaxCheck(await loadGrammars());
  const opening = tasks.get(task) ?? openTask(under.evaluator, syntaxCheck, task);
  tasks.set(task, opening);
  return opening;
}

const entries = redTeam().filter(({ id }) => shown.includes(id));

for (const entry of entries)
  test(`${entry.kind}: ${entry.does}`, async () => {
    const { stoppedBy } = await answerTo(await open(entry.task), entry);
    if (entry.kind === "honest") expect(stoppedBy).toBe("nothing");
    else expect(entry.caughtBy).toContain(stoppedBy);
  });

test("every entry that is shown is there", () => {
  expect(entries.map(({ id }) => id).sort()).toEqual([...shown].sort());
});
