import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { firstSteps } from "../../../server/protocol/timeline-views";
import { LanguageClient } from "../../harness/language-client";
import { writeLongSession } from "../../harness/long-session";
import { endEvent, openStore, startEvent } from "../storage/session-fixtures";

async function writeShortSession(root: string): Promise<string> {
  const log = await openStore(root).create();
  await log.append(startEvent(await log.snapshot({ "samples/transpose.cu": "// the baseline\n" }, null)));
  await log.append(endEvent);
  await log.close();
  return log.sessionId;
}

test("the first rows of a long log come alone, and the rest until none is left; one from elsewhere is taken in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-timeline-"));
  const sessionsFolder = join(folder, "sessions");
  const sessionId = await writeLongSession(sessionsFolder, 240);
  const client = await LanguageClient.start({ folder, trusted: true, settings: { sessionsFolder } });
  try {
    const first = await client.request("kernelwright/timeline", { sessionId, after: 0 });
    expect(first.steps.map(({ seq }) => seq)).toEqual(Array.from({ length: firstSteps }, (_, at) => at + 1));
    expect(first.more).toBe(true);
    const rest = await client.request("kernelwright/timeline", { sessionId, after: firstSteps });
    expect([rest.steps[0]?.seq, rest.steps.at(-1)?.seq, rest.more]).toEqual([
      firstSteps + 1,
      rest.total,
      false,
    ]);
    const none = await client.request("kernelwright/timeline", { sessionId, after: rest.total });
    expect([none.steps, none.more]).toEqual([[], false]);
    const log = join(folder, "sent.jsonl");
    await expect(client.request("kernelwright/importSession", { path: log })).rejects.toThrow(
      `${log}: there is no such file.`,
    );
    const long = await writeLongSession(sessionsFolder, 1200);
    const soon = await client.request("kernelwright/timeline", { sessionId: long, after: 0 });
    expect([soon.session, soon.steps.length, soon.more]).toEqual([null, firstSteps, true]);
    const later = await client.request("kernelwright/timeline", { sessionId: long, after: firstSteps });
    expect([later.session?.sessionId, later.steps[0]?.seq]).toEqual([long, firstSteps + 1]);
    const known = await client.request("kernelwright/timeline", { sessionId: long, after: 0 });
    expect([known.session?.sessionId, known.steps, known.total]).toEqual([long, soon.steps, later.total]);
    const sent = join(folder, "elsewhere", await writeShortSession(join(folder, "elsewhere")));
    const { session, missingTexts } = await client.request("kernelwright/importSession", { path: sent });
    expect([session.kernel, session.status, missingTexts]).toEqual(["transpose", "no_gain", 0]);
    const imported = { sessionId: session.sessionId, after: 0 };
    expect((await client.request("kernelwright/timeline", imported)).total).toBe(3);
  } finally {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
