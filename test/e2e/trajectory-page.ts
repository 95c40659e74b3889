import { expect } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { lookInEveryTheme, pageFrame } from "./webview-page";

/** Looks for candidates, steps through what is found, and reads one of them in every theme. */
export async function readTrajectory(workbench: Workbench): Promise<void> {
  const frame = await pageFrame(workbench, /^transpose$/);
  await frame.getByRole("searchbox", { name: "Search the events" }).fill("candidate accepted");
  const rows = frame.getByRole("option");
  await eventually({
    what: "accepted candidates alone",
    read: () => rows.allInnerTexts(),
    accept: (texts) => texts.length > 0 && texts.every((text) => text.includes("accepted")),
  });
  await frame.getByRole("listbox").press("ArrowDown");
  await frame.getByRole("listbox").press("End");
  await frame.getByText("Change", { exact: true }).waitFor();
  expect(await frame.locator("pre.diff .added").count()).toBeGreaterThan(0);
  await lookInEveryTheme(workbench, frame, "16-trajectory");
  await frame.getByRole("button", { name: "Open File" }).click();
  await eventually({
    what: "the file as the candidate has it",
    read: () => workbench.editor.lines(),
    accept: (lines) => [...lines.values()].join("\n").includes("[kTile + 1]"),
  });
  await workbench.runCommand("View: Close Editor");
}

/** Puts a note on the chosen event, and finds the event by it. */
export async function noteOnEvent(workbench: Workbench): Promise<void> {
  const frame = await pageFrame(workbench, /^transpose$/);
  await frame.getByRole("button", { name: "Add Note" }).click();
  await workbench.quickInput.answer("win");
  // The box for the note takes the place of the one for the tag.
  await workbench.page.locator(".quick-input-widget", { hasText: "The note." }).waitFor();
  await workbench.quickInput.answer("padding removed the conflicts");
  await frame.getByText("padding removed the conflicts").waitFor();
  await frame.getByRole("searchbox", { name: "Search the events" }).fill("");
  await frame.getByRole("button", { name: "with notes" }).click();
  await eventually({
    what: "the event with the note alone",
    read: () => frame.getByRole("option").count(),
    accept: (count) => count === 1,
  });
}
