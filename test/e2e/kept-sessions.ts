import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { lookInEveryTheme, pageFrame, themes, useTheme } from "./webview-page";

const dialog = /Delete the session of/;

/** What can be done with kernels and sessions of a folder, in a window that has some of several kernels. */
export function describeKeptSessions(window: () => Workbench, sessions: () => string): void {
  describeKernels(window);
  describeArrangement(window);
  describeComparison(window);
  describeShelf(window, sessions);
}

async function rowsBecome(
  workbench: Workbench,
  what: string,
  accept: (labels: readonly string[]) => boolean,
): Promise<void> {
  await eventually({
    what,
    read: async () => (await workbench.tree("Sessions").rows()).map(({ label }) => label),
    accept,
  });
}

function describeKernels(window: () => Workbench): void {
  it("ranks the kernels of the folder with their verdicts, and marks hot lines, in every theme", async () => {
    const workbench = window();
    await workbench.openFile("src/energy.cu");
    await workbench.editor.waitForDecoration(/of the modelled cost/);
    for (const theme of themes) {
      await useTheme(workbench, theme);
      await eventually({
        what: "the verdict on the accepted kernel",
        read: () => workbench.tree("Kernels").rows(),
        accept: (rows) => rows.some(({ description }) => /correct · best .*%/.test(description)),
      });
      await workbench.screenshot(`43-kernels-${theme.kind}`);
    }
  });

  it("lists the lines of a file by what they cost, and goes to the one that is chosen", async () => {
    const workbench = window();
    await workbench.runCommand("Kernelwright: List Costs by Line");
    const shares = await eventually({
      what: "the lines with their shares",
      read: async () => (await workbench.quickInput.choices()).map((label) => Number.parseInt(label, 10)),
      accept: (all) => all.length > 3,
    });
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    await workbench.screenshot("44-costs-by-line");
    await workbench.page.keyboard.press("Enter");
  });
}

function describeArrangement(window: () => Workbench): void {
  it("filters sessions by their words, and says how many it hides", async () => {
    const workbench = window();
    await workbench.runCommand("Kernelwright: Filter Sessions");
    await workbench.quickInput.answer("energy", "Filter Sessions");
    await rowsBecome(workbench, "sessions of one kernel", (labels) => labels.join() === "signal_energy");
    await workbench.page.getByText(/1 of \d sessions hold “energy”/).waitFor();
    await workbench.screenshot("45-filtered-sessions");
    await workbench.runCommand("Kernelwright: Show All Sessions");
    await rowsBecome(workbench, "all sessions", (labels) => labels.length > 1);
  });

  it("groups sessions by kernel", async () => {
    const workbench = window();
    await workbench.runCommand("Kernelwright: Group Sessions by Kernel");
    await eventually({
      what: "a group with its sessions below",
      read: () => workbench.tree("Sessions").rows(),
      accept: (rows) => rows.some(({ level, description }) => level === 1 && /1 session$/.test(description)),
    });
    await workbench.screenshot("45-grouped-sessions");
    await workbench.runCommand("Kernelwright: Show Sessions as a List");
  });
}

function describeComparison(window: () => Workbench): void {
  it("gives a session a name", async () => {
    const workbench = window();
    await workbench.runCommand("Kernelwright: Rename Session");
    await workbench.quickInput.pick(/rotate_right/);
    await workbench.quickInput.answer("first try", "Rename Session");
    await rowsBecome(workbench, "the name", (labels) => labels.includes("first try"));
  });

  it("compares two sessions on a page, in every theme", async () => {
    const workbench = window();
    await workbench.runCommand("Kernelwright: Compare with Another Session");
    await workbench.quickInput.pick(/first try/);
    await workbench.quickInput.pick(/signal_energy/);
    const frame = await pageFrame(workbench, /^Comparison of two sessions$/);
    await lookInEveryTheme(workbench, frame, "46-comparison");
    await workbench.runCommand("View: Close Editor");
  });
}

function describeShelf(window: () => Workbench, sessions: () => string): void {
  it("deletes a session after asking, and takes one in from its log", async () => {
    const workbench = window();
    const [oldest = ""] = readdirSync(sessions()).sort();
    const log = join(sessions(), oldest, "events-000001.jsonl");
    const before = (await workbench.tree("Sessions").rows()).filter(({ level }) => level === 1).length;
    await workbench.runCommand("Kernelwright: Import Session…");
    await workbench.page.locator(".quick-input-widget:visible", { hasText: "Import Session" }).waitFor();
    await eventually({
      what: "the files to choose from",
      read: () => workbench.quickInput.choices(),
      accept: (names) => names.length > 0,
    });
    await workbench.quickInput.answer(log);
    await rowsBecome(workbench, "one session more", (labels) => labels.length === before + 1);
    await workbench.screenshot("47-imported");
    await workbench.runCommand("View: Close Editor");
    await workbench.runCommand("Kernelwright: Delete Session");
    await workbench.quickInput.pick(/first try/);
    expect(await workbench.notifications.waitFor(dialog)).toContain("Your files stay as they are");
    await workbench.screenshot("47-delete");
    await workbench.notifications.press(dialog, "Delete");
    await rowsBecome(
      workbench,
      "it gone",
      (labels) => labels.length === before && !labels.includes("first try"),
    );
  });
}
