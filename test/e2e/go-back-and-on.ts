import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** A session that has ended: what to do next, what it said, which steps one can go back to. */
export async function goBack(workbench: Workbench, source: string, original: string): Promise<void> {
  const runs = workbench.tree("Run");
  await workbench.openFile("transpose.cu");
  await runs.press("matmul", "What Next");
  await choicesBecome(workbench, ["Review Proposal", "Select Strategy", "Open Report"]);
  await workbench.screenshot("24-what-next");
  await workbench.page.keyboard.press("Escape");
  // Its proposal is at the floor of its task: nothing is left to try.
  await runs.press("transpose", "What Next");
  await choicesBecome(workbench, ["Open Report"]);
  await workbench.page.keyboard.press("Escape");
  await workbench.runCommand("Kernelwright: Listen to Run");
  await workbench.quickInput.pick(/transpose/);
  await workbench.page.locator(".part.panel .view-lines", { hasText: "is the best so far" }).waitFor();
  await workbench.screenshot("25-what-the-run-said");
  await workbench.openFile("transpose.cu");
  await workbench.runCommand("Kernelwright: Go Back to a Checkpoint");
  await workbench.quickInput.pick(/transpose/);
  await eventually({
    what: "the steps",
    read: () => workbench.quickInput.choices(),
    accept: (names) => names.some((name) => name.includes("Before the session")),
  });
  await workbench.screenshot("26-checkpoints");
  await workbench.quickInput.pick(/Before the session/);
  await eventually({
    what: "the text before the session",
    read: () => workbench.editor.text(),
    accept: (text) => text === original,
  });
  await workbench.editor.press("Control+S");
  await eventually({
    what: "the file saved",
    read: () => Promise.resolve(readFileSync(source, "utf8")),
    accept: (text) => text === original,
  });
}

/** A run that begins with the newest candidate of the oldest run in view. */
export async function goOn(workbench: Workbench, limit: number): Promise<void> {
  const runs = workbench.tree("Run");
  const candidate = (await runs.rows()).filter(({ level }) => level > 1).at(-1)?.label ?? "";
  expect(candidate).not.toBe("");
  await runs.press(candidate, "Continue from This Candidate");
  await eventually({
    what: "the candidate in a run of its own",
    read: () => runs.rows(),
    accept: (rows) =>
      rows.some(({ description }) => /^from candidate \d+ of an earlier session/.test(description)),
    limit,
  });
  await eventually({
    what: "the end of that run",
    read: () => runs.rows(),
    accept: (rows) =>
      rows.filter(({ level, description }) => level === 1 && description.includes("improved")).length === 3,
    limit,
  });
  await workbench.screenshot("27-gone-on");
  expect(await workbench.notifications.all()).toEqual([]);
}

async function choicesBecome(workbench: Workbench, expected: readonly string[]): Promise<void> {
  await eventually({
    what: `the choices ${expected.join(", ")}`,
    read: () => workbench.quickInput.choices(),
    accept: (names) =>
      names.length === expected.length && expected.every((name) => names.some((each) => each.includes(name))),
  });
}
