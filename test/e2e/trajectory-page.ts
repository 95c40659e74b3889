import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Result } from "axe-core";
import type { Frame } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** Built-in themes under which every page is looked at. */
const themes = [
  { name: "Light Modern", kind: "vscode-light" },
  { name: "Dark High Contrast", kind: "vscode-high-contrast" },
  { name: "Dark Modern", kind: "vscode-dark" },
];

/** The document of the page that is open in the active tab. */
export async function pageFrame(workbench: Workbench): Promise<Frame> {
  const element = await workbench.page
    .frameLocator("iframe.webview.ready")
    .locator("iframe#active-frame")
    .elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error("no page is open in the active tab");
  return frame;
}

/** What axe finds wrong with a page: rule, and the elements at fault. */
async function accessibilityFaults(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const violations = await frame.evaluate<Result[]>("axe.run().then(({ violations }) => violations)");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Looks for candidates, steps through what is found, and reads one of them in every theme. */
export async function readTrajectory(workbench: Workbench): Promise<void> {
  const frame = await pageFrame(workbench);
  await frame.getByRole("heading", { name: "transpose" }).waitFor();
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
  for (const { name, kind } of themes) {
    await workbench.runCommand("Preferences: Color Theme");
    await workbench.quickInput.pick(name);
    await frame.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
    await workbench.screenshot(`16-trajectory-${kind}`);
    expect(await accessibilityFaults(frame)).toEqual([]);
  }
}

/** Puts a note on the chosen event, and finds the event by it. */
export async function noteOnEvent(workbench: Workbench): Promise<void> {
  const frame = await pageFrame(workbench);
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
