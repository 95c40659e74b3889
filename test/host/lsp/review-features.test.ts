import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeLens } from "vscode-languageserver-protocol";
import { candidateHead } from "../../../server/core/words/names/names";
import { hunksOf } from "../../../server/core/review/hunk";
import { applyEdits, type FileEdit } from "../../../server/core/review/line-edit";
import { mergeHunks } from "../../../server/core/review/merge";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import type { ReviewChange } from "../../../server/protocol/requests";
import type { ProposalView, SessionView } from "../../../server/protocol/views";
import { LanguageClient } from "../../harness/language-client";

/** A trusted workspace with the real compiler and the virtual GPU; each test runs its own session. */
let client: LanguageClient;
let folder: string;
let sessionsFolder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kernelwright-review-"));
  sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  cpSync("samples", folder, { recursive: true });
  client = await LanguageClient.start({
    folder,
    trusted: true,
    transport: "--node-ipc",
    settings: { sessionsFolder, python: process.env["KERNELWRIGHT_PYTHON"] ?? "", "budget.candidates": 6 },
  });
});

afterAll(async () => {
  await client.stop();
  for (const path of [folder, sessionsFolder]) rmSync(path, { recursive: true, force: true });
});

const read = (file: string): string => readFileSync(join(folder, file), "utf8");

async function lenses(file: string): Promise<readonly string[]> {
  const shown = await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", {
    textDocument: { uri: client.uri(file) },
  });
  return shown.map((lens) => lens.command?.title ?? "");
}

interface Proposed {
  readonly text: string;
  readonly ended: SessionView;
  readonly proposal: ProposalView;
}

/** Optimizes a sample to its end. */
async function propose(kernel: string): Promise<Proposed> {
  const file = `${kernel}.cu`;
  const text = read(file);
  await client.open(file, text);
  const { sessionId } = await client.request("kernelwright/optimize", { uri: client.uri(file), kernel });
  const ended = await client.next(
    "kernelwright/sessionChanged",
    (view) => view.sessionId === sessionId && view.status !== "running",
  );
  const proposal = await client.request("kernelwright/proposal", { sessionId });
  if (proposal === null) throw new Error(`${kernel}: no proposal: ${ended.reason}`);
  return { text, ended, proposal };
}

/** What an editor does for a decision: the edits, and the text with them. */
function edited(
  proposal: ProposalView,
  present: string,
  hunks: readonly string[],
  to: "proposed" | "base" = "proposed",
): { readonly edits: readonly FileEdit[]; readonly text: string } {
  const [file] = proposal.files;
  if (file === undefined) throw new Error("the proposal has no file");
  const merge = mergeHunks({
    base: file.base,
    hunks: hunksOf(proposal.hunks, file.file),
    present,
    decided: new Set(hunks),
    to,
  });
  if (merge.kind === "conflict") throw new Error("the test's own text conflicts");
  return {
    edits: merge.edits.map((edit) => ({ ...edit, file: file.file })),
    text: applyEdits(present, merge.edits),
  };
}

/** The events of a session as they lie on disk. */
function logged(ended: SessionView): readonly SessionEvent[] {
  return ["1", "2", "3", "4", "5", "6"].flatMap((segment) => {
    const path = join(ended.folder, `events-00000${segment}.jsonl`);
    try {
      return readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as SessionEvent);
    } catch {
      return [];
    }
  });
}

/** Every candidate of a run can be looked at, next to the baseline and to the one that it was made from. */
async function expectCandidates(text: string, { sessionId, candidates }: SessionView): Promise<void> {
  expect(candidates.length).toBeGreaterThan(1);
  for (const { id, figure, stage, hypothesis } of candidates) {
    const asked = { sessionId, candidate: id };
    const whole = await client.request("kernelwright/candidate", { ...asked, against: "baseline" });
    expect(whole.files.map(({ base }) => base)).toEqual(id === "baseline" ? [] : [text]);
    expect(whole.detail.startsWith(`# ${candidateHead(id)}`)).toBe(true);
    if (id !== "baseline") expect(whole.detail).toContain(`\n${hypothesis}\n`);
    const step = await client.request("kernelwright/candidate", { ...asked, against: "parent" });
    expect(step.files.map(({ proposed }) => proposed)).toEqual(whole.files.map(({ proposed }) => proposed));
    if (stage === "correct" || stage === "faster") expect(figure).toMatch(/^[\d.]+ (?:ns|µs|ms)/);
    await expectPictures(asked, figure);
  }
  await expect(
    client.request("kernelwright/candidate", { sessionId, candidate: "none", against: "parent" }),
  ).rejects.toMatchObject({ data: { code: "session-not-found" } });
}

/**
 * A candidate that was counted is drawn beside its baseline, on another GPU too; of others it is said why
 * not.
 */
async function expectPictures(
  asked: { readonly sessionId: string; readonly candidate: string },
  figure: string | undefined,
): Promise<void> {
  const drawn = client.request("kernelwright/candidatePerformance", { ...asked, gpu: "H100 SXM" });
  if (figure === undefined) {
    await expect(drawn).rejects.toThrow(`nothing was counted of candidate ${asked.candidate}: `);
    return;
  }
  const { figures, simulation } = await drawn;
  expect(simulation).toBe(null);
  const baseline = asked.candidate === "baseline" ? [] : ["Baseline, on A100 40GB SXM"];
  const named = `${candidateHead(asked.candidate)}, on `;
  expect(figures.map(({ title }) => title)).toEqual([
    `${named}A100 40GB SXM`,
    ...baseline,
    `${named}H100 SXM`,
  ]);
}

/** A candidate that the search dropped becomes the proposal once it is verified; none that is wrong does. */
async function expectAdoption(before: ProposalView, { candidates }: SessionView): Promise<void> {
  const { sessionId } = before;
  const adopt = (candidate: string): Promise<ProposalView> =>
    client.request("kernelwright/adopt", { sessionId, candidate });
  await expect(adopt("baseline")).rejects.toThrow("there is nothing to propose");
  await expect(adopt("none")).rejects.toMatchObject({ data: { code: "session-not-found" } });
  const others = candidates.filter(({ id }) => id !== before.candidate && id !== "baseline");
  expect(others.length).toBeGreaterThan(0);
  for (const { id, stage } of others) {
    if (stage !== "correct" && stage !== "faster") {
      await expect(adopt(id)).rejects.toThrow(`Candidate ${id} cannot be proposed`);
      continue;
    }
    expect((await adopt(id)).candidate).toBe(id);
    const { candidates: now } = await client.request("kernelwright/session", { sessionId });
    expect(now.filter(({ state }) => state === "best").map((best) => best.id)).toEqual([id]);
  }
  expect((await adopt(before.candidate)).hunks).toMatchObject(
    before.hunks.map(({ baseStart, proposedLines }) => ({ baseStart, proposedLines })),
  );
}

test("a run ends with a proposal, a lens for it, and the file as it was", async () => {
  const { text, ended } = await propose("transpose");
  expect(ended.folder).toContain(sessionsFolder);
  expect(ended).toMatchObject({
    file: "transpose.cu",
    kernel: "transpose",
    target: "A100 40GB SXM (sm_80), modelled",
    strategy: "rulebook",
    status: "succeeded",
    hasProposal: true,
  });
  expect(read("transpose.cu")).toBe(text);
  const shown = await client.until(
    () => lenses("transpose.cu"),
    (titles) => titles.includes("Optimize"),
  );
  // Its changes stand in the file: no lens asks to show them.
  expect(shown.filter((title) => /^(Review proposal|Stop and review)/.test(title))).toEqual([]);
  const statuses = client.received
    .filter(({ method }) => method === "kernelwright/sessionChanged")
    .map(({ params }) => params as SessionView)
    .filter((view) => view.sessionId === ended.sessionId)
    .map((view) => view.status);
  expect(statuses.slice(0, -1).every((status) => status === "running" || status === "succeeded")).toBe(true);
  const report = await client.request("kernelwright/export", {
    sessionId: ended.sessionId,
    format: "markdown",
  });
  expect(report.text).toContain("transpose");
  await expectCandidates(text, ended);
  const listed = await client.request("kernelwright/sessions", {});
  expect(listed.map((view) => view.sessionId)).toContain(ended.sessionId);
});

test("a decision is recorded with its edits, and taken back without any", async () => {
  const { text, ended, proposal } = await propose("transpose");
  const { sessionId } = proposal;
  const hunks = proposal.hunks.map((hunk) => hunk.id);
  const [first = ""] = hunks;
  const mine = `// mine\n${text}`;
  const { edits, text: accepted } = edited(proposal, mine, [first]);
  expect(accepted).not.toBe(mine);
  const after = await client.request("kernelwright/decide", {
    sessionId,
    hunks: [first],
    decision: "accepted",
    edits,
  });
  expect(after.hunks.map((hunk) => hunk.decision)).toEqual(["accepted", ...hunks.slice(1).map(() => "open")]);
  expect(edited(after, accepted, [first], "base").text).toBe(mine);
  const undone = await client.request("kernelwright/decide", {
    sessionId,
    hunks: [first],
    decision: "undone",
    edits: [],
  });
  expect(undone.hunks.every((hunk) => hunk.decision === "open")).toBe(true);
  const rejected = { sessionId, hunks, decision: "rejected", edits: [] } as const;
  await client.request("kernelwright/decide", rejected);
  expect(await lenses("transpose.cu")).not.toContain("Review proposal");
  const decisions = logged(ended).flatMap((event) =>
    event.type === "edit.hunk_decided" ? [event.data] : [],
  );
  expect(decisions).toEqual([
    { hunks: [first], decision: "accepted", edits },
    { hunks: [first], decision: "undone", edits: [] },
    { hunks, decision: "rejected", edits: [] },
  ]);
});

test("a decision on a hunk that the proposal does not have is refused, and nothing is recorded", async () => {
  const { ended, proposal } = await propose("transpose");
  const before = logged(ended).length;
  await expect(
    client.request("kernelwright/decide", {
      sessionId: proposal.sessionId,
      hunks: ["nothing"],
      decision: "accepted",
      edits: [],
    }),
  ).rejects.toMatchObject({
    message: `The proposal of session ${proposal.sessionId} has no hunk nothing: open the review again.`,
    data: { code: "usage" },
  });
  expect(logged(ended)).toHaveLength(before);
});

/** The newest thing told of a review that fits. */
function reviewOf(sessionId: string, fits: (change: ReviewChange) => boolean): Promise<ReviewChange> {
  return client.next(
    "kernelwright/reviewChanged",
    (change) => change.sessionId === sessionId && fits(change),
  );
}

test("changes that need each other are found out by trying, and a part of them is never called correct", async () => {
  const { text, ended, proposal } = await propose("matmul");
  const { sessionId } = proposal;
  const hunks = proposal.hunks.map((hunk) => hunk.id);
  expect(hunks).toHaveLength(3);
  expect(proposal.hunks.map((hunk) => hunk.needs)).toEqual([null, null, null]);
  const grouped = await reviewOf(sessionId, ({ review }) => review.grouping === "known");
  expect(grouped.hunks.map((hunk) => hunk.needs)).toEqual(
    hunks.map((hunk) => hunks.filter((other) => other !== hunk)),
  );
  expect(grouped.review.claim).toMatchObject({ state: "proposal", passed: true });
  expect(grouped.review.claim.text).toMatch(/^All 3 changes together: correct on \d+ cases/);
  const grouping = logged(ended).filter((event) => event.type === "review.grouped");
  expect(grouping.map((event) => event.data.trials.map((trial) => trial.outcome === "correct"))).toEqual([
    [false, false, false, false, false, false],
  ]);

  const [first = "", second = ""] = hunks;
  const { edits, text: part } = edited(proposal, text, [first, second]);
  await client.change("matmul.cu", undefined, part);
  const decided = { sessionId, hunks: [first, second], decision: "accepted", edits } as const;
  const after = await client.request("kernelwright/decide", decided);
  expect(after.review.claim.text).toMatch(/^Changes 1, 2 of 3 in your text: not checked yet/);
  const checked = await reviewOf(sessionId, ({ review }) => review.claim.state === "checked");
  expect(checked.review.claim).toMatchObject({ passed: false });
  expect(checked.review.claim.text).toMatch(/^Changes 1, 2 of 3 in your text: (wrong|did not)/);
  const told = await client.next(
    "kernelwright/sessionChanged",
    (view) => view.sessionId === sessionId && view.partly?.passed === false,
  );
  expect(told.partly?.text).toMatch(/^2 of 3 changes accepted: (wrong|did not)/);
  const listed = await client.request("kernelwright/sessions", {});
  expect(listed.find((view) => view.sessionId === sessionId)?.partly).toEqual(told.partly);
  const checks = logged(ended).flatMap((event) => (event.type === "review.checked" ? [event.data] : []));
  expect(checks.at(-1)).toMatchObject({ accepted: [first, second] });
  expect(checks.at(-1)?.outcome).not.toBe("correct");
  await expectAdoption(proposal, ended);
});

test("an edit of the user makes the claim unchecked, and it is checked again by itself", async () => {
  const { text, proposal } = await propose("transpose");
  const { sessionId } = proposal;
  expect(proposal.review).toMatchObject({ grouping: "known", claim: { state: "proposal" } });
  await client.change("transpose.cu", undefined, `// mine\n${text}`);
  const unchecked = await reviewOf(sessionId, ({ review }) => review.claim.passed === null);
  expect(unchecked.review.claim.text).toMatch(/not checked yet/);
  const checked = await reviewOf(sessionId, ({ review }) => review.claim.state === "checked");
  expect(checked.review.claim).toMatchObject({ passed: true });
  expect(checked.review.claim.text).toMatch(/with your edits: correct on \d+ cases \(quick check\)/);
});
