import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { copySamples } from "../harness/editor-host";
import { eventually } from "../harness/eventually";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { goBack, goOn } from "./go-back-and-on";
import { hearWindow } from "./heard";
import { noteOnEvent, readTrajectory } from "./trajectory-page";
import { arrangeSessions, compareSessions } from "./session-shelf";
import { pageFrame } from "./webview-page";
import { hoverAt, pressInDiff, waitForStatus } from "./review-changes";

/** How long one run of the agent over a sample may take, in milliseconds. */
const RUN_LIMIT_MS = 240_000;
/** Of a picture that shows the kernel, in pixels. */
const editorPictureHeight = 560;

/** The newcomer's way through the product, step by step in one window; each step leaves a screenshot. */
describe("optimize, from the lens to the exported trajectory", () => {
  const step = scenario(() => workbench);
  const samples = copySamples();
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  const source = join(samples.folder, "transpose.cu");
  const original = readFileSync(source, "utf8");
  /** One-based. */
  const kernelLine = original.split("\n").findIndex((line) => line.includes("__global__")) + 1;
  const nameColumn = (original.split("\n")[kernelLine - 1] ?? "").indexOf("transpose") + 1;
  let workbench: Workbench;

  /** The text in the editor, as the editor keeps it. */
  const textBecomes = (what: string, accept: (text: string) => boolean): Promise<string> =>
    eventually({ what, read: () => workbench.editor.text(), accept });

  const noLens = (title: RegExp): Promise<unknown> =>
    eventually({
      what: `no lens ${title}`,
      read: () => workbench.editor.lenses(),
      accept: (lenses) => !lenses.some(({ text }) => title.test(text)),
    });

  beforeAll(async () => {
    workbench = await openWorkbench({
      workspace: samples.folder,
      settings: {
        "kernelwright.sessionsFolder": sessions,
        "kernelwright.profileOnSave": true,
        "files.autoSave": "off",
      },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("19-end-of-optimize");
    await workbench.close();
    samples.remove();
    rmSync(sessions, { recursive: true, force: true, maxRetries: 5 });
  });

  step("shows a lens over the kernel", async () => {
    await workbench.openFile("transpose.cu");
    await workbench.editor.waitForLens("Optimize");
    await workbench.screenshot("10-lens");
  });

  step("lets candidates arrive in the run tree", async () => {
    await workbench.editor.clickLens("Optimize");
    const tree = workbench.tree("Run");
    await tree.waitForRow("transpose");
    await eventually({
      what: "two candidates",
      read: () => tree.rows(),
      accept: (rows) => rows.filter(({ level }) => level > 1).length >= 2,
      limit: RUN_LIMIT_MS,
    });
    await workbench.screenshot("11-candidates");
    const rows = await tree.rows();
    const texts = rows.map(({ label, description }) => `${label} ${description}`).join("\n");
    expect(texts).toMatch(/of \d+ candidates[^]*baseline/);
    expect(texts).not.toMatch(/\bc\d\b|kernel as it is|lanes part|binds|\bkept\b|dropped/);
  });

  step("shows the proposal inline with counters before and after, and leaves the file alone", async () => {
    await workbench.editor.waitForLens(/Accept/, RUN_LIMIT_MS);
    await waitForStatus(workbench, /change.* open · .*correct on \d+ cases/);
    await eventually({
      what: "the run ended",
      read: () => workbench.tree("Run").rows(),
      accept: (rows) =>
        rows.some(({ level, description }) => level === 1 && description.includes("improved")),
    });
    expect(await workbench.editor.waitForDecoration(/^ \+ /)).toEqual({
      line: kernelLine + 1,
      text: " + __shared__ float tile[kTile][kTile + 1]; ",
    });
    await eventually({
      what: "what the run found, beside the kernel",
      read: () => workbench.tree("Kernels").waitForRow("transpose"),
      accept: ({ description }) => description.includes("best"),
    });
    await workbench.screenshot("12-proposal");
    await workbench.editorScreenshot("31-optimize", editorPictureHeight);
    // Where the lens stood was read while lines still moved down for it.
    await hoverAt(workbench, kernelLine + 1, /Change 1 of \d+.*would put here:[^]*correct on \d+ cases[^]*→/);
    await workbench.screenshot("12-hover");
    await workbench.page.keyboard.press("Escape");
    expect(readFileSync(source, "utf8")).toBe(original);
    expect(await workbench.editor.text()).toBe(original);
  });

  step("accepts one change and takes it back with undo, and takes back a rejection", async () => {
    await workbench.editor.goToLine(kernelLine);
    await workbench.editor.clickLens(/Diff/);
    await workbench.page
      .locator(".editor-group-container.active .editor.modified .codelens-decoration a", {
        hasText: "Accept",
      })
      .first()
      .waitFor();
    await workbench.screenshot("13-diff");
    await pressInDiff(workbench, "Accept");
    await workbench.openFile("transpose.cu");
    await textBecomes("the accepted change", (text) => text !== original);
    await workbench.editor.goToLine(kernelLine);
    await noLens(/Accept/);
    await workbench.screenshot("13-accepted");
    expect(readFileSync(source, "utf8")).toBe(original);
    await workbench.editor.press("Control+Z");
    await textBecomes("the text before", (text) => text === original);
    await workbench.editor.goToLine(kernelLine);
    await workbench.editor.waitForLens(/Accept/);
    await workbench.screenshot("14-undone");
    await workbench.runCommand("Kernelwright: Reject All Changes");
    await noLens(/Accept/);
    await waitForStatus(workbench, /rejected: undo/);
    await workbench.screenshot("14-rejected");
    await workbench.runCommand("Kernelwright: Undo Reject");
    await workbench.editor.waitForLens(/Accept/);
  });

  step("accepts all as one step", async () => {
    await workbench.runCommand("Kernelwright: Accept All Changes");
    const accepted = await textBecomes("all changes", (text) => text !== original);
    await workbench.editor.goToLine(kernelLine);
    await noLens(/Accept/);
    await workbench.screenshot("15-accepted-all");
    await workbench.editor.press("Control+Z");
    await textBecomes("the text before, by one undo", (text) => text === original);
    await workbench.editor.press("Control+Shift+Z");
    await textBecomes("all changes by one redo", (text) => text === accepted);
    await workbench.editor.goToLine(kernelLine);
    await noLens(/Accept/);
    await workbench.editor.press("Control+S");
    await eventually({
      what: "the file saved",
      read: () => Promise.resolve(readFileSync(source, "utf8")),
      accept: (text) => text === accepted,
    });
  });

  step("opens what a candidate changes, and the verdict on it", async () => {
    const tree = workbench.tree("Run");
    const [candidate] = (await tree.rows()).filter(({ level }) => level > 1).slice(-1);
    await eventually({
      what: "the diff of the candidate",
      // A row that is drawn anew at that moment does not take the click.
      read: async () => {
        await tree.click(candidate?.label ?? "");
        return workbench.tabs();
      },
      accept: (tabs) => tabs.some((tab) => tab.includes("transpose.cu: baseline ↔")),
    });
    await workbench.page
      .locator(".editor-group-container.active .editor.modified .view-line", { hasText: "kTile + 1" })
      .waitFor();
    await workbench.screenshot("16-candidate");
    await tree.press(candidate?.label ?? "", "Show Verdict");
    await eventually({
      what: "the verdict on the candidate",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.some((tab) => tab.includes("Candidate ")),
    });
    await workbench.page
      .frameLocator("iframe.webview.ready:visible")
      .frameLocator("iframe#active-frame")
      .getByRole("cell", { name: "passed" })
      .first()
      .waitFor();
    await workbench.screenshot("16-verdict");
    await tree.press(candidate?.label ?? "", "Show Performance");
    await workbench.page
      .frameLocator("iframe.webview.ready:visible")
      .frameLocator("iframe#active-frame")
      .getByText(/^Baseline, on A100 40GB SXM: .* modelled/)
      .waitFor();
    await workbench.screenshot("16-candidate-performance");
  });

  step("keeps the session, whose trajectory can be searched, stepped through and labelled", async () => {
    const tree = workbench.tree("Sessions");
    await tree.waitForRow("transpose");
    await tree.click("transpose");
    await readTrajectory(workbench);
    await noteOnEvent(workbench);
    await workbench.screenshot("16-trajectory-note");
  });

  step("tells a screen reader what its views, rows, lenses and pages are, in words", () =>
    hearWindow(workbench, "transpose.cu", kernelLine),
  );

  step("shows the session's report and exports it", async () => {
    const tree = workbench.tree("Sessions");
    await workbench.runCommand("Kernelwright: Open Session Report");
    await eventually({
      what: "the report",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.some((tab) => tab.includes("transpose session")),
    });
    await workbench.page
      .frameLocator("iframe.webview.ready:visible")
      .frameLocator("iframe#active-frame")
      .getByRole("heading")
      .first()
      .waitFor();
    await workbench.screenshot("16-report");
    await tree.press("transpose", "Export Trajectory");
    await workbench.quickInput.pick("ATIF 1.8");
    const file = join(samples.folder, "exported.json");
    await workbench.page.locator(".quick-input-widget:visible", { hasText: "Export trajectory" }).waitFor();
    await eventually({
      what: "the folder's files",
      read: () => workbench.quickInput.choices(),
      accept: (names) => names.includes("transpose.cu"),
    });
    await workbench.quickInput.answer(file);
    await workbench.notifications.waitFor(/exported/);
    await workbench.screenshot("17-exported");
    expect(
      (JSON.parse(readFileSync(file, "utf8")) as { readonly schema_version: string }).schema_version,
    ).toBe("ATIF-v1.8");
  });

  step("profiles the accepted kernel: facts stand on its lines", async () => {
    await workbench.openFile("transpose.cu");
    await workbench.editor.goToLine(kernelLine);
    await workbench.editor.clickLens("Profile");
    await workbench.editor.waitForDecoration(/\d/, RUN_LIMIT_MS);
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.screenshot("18-facts");
    const said = await hoverAt(workbench, { line: kernelLine, column: nameColumn }, /modelled/);
    expect(said.match(/occupancy/gi)).toHaveLength(1);
    await workbench.screenshot("18-kernel-hover");
    await workbench.page.keyboard.press("Escape");
  });

  step("profiles a kernel again when its file is saved", async () => {
    const isStale = /before your edits/;
    const before = await workbench.editor.text();
    await workbench.editor.goToLine(1);
    await workbench.editor.press("Control+Shift+Enter");
    await workbench.editor.waitForDecoration(isStale);
    await workbench.editor.press("Control+S");
    await eventually({
      what: "facts of the text that was saved",
      read: () => workbench.editor.decorations(),
      accept: (all) =>
        all.some(({ text }) => text.includes("of the modelled cost")) &&
        !all.some(({ text }) => isStale.test(text)),
      limit: RUN_LIMIT_MS,
    });
    await workbench.screenshot("18-profiled-on-save");
    await workbench.editor.press("Control+Z");
    await textBecomes("the text before", (text) => text === before);
    await workbench.editor.press("Control+S");
  });

  step(
    "says which changes need each other, checks again what was typed meanwhile, and takes them as one",
    async () => {
      await workbench.openFile("matmul.cu");
      await workbench.editor.clickLens("Optimize");
      await workbench.editor.waitForLens(/Accept change 1/, RUN_LIMIT_MS);
      await workbench.screenshot("19-being-found-out");
      await workbench.editor.waitForLens(/Accept change 1 \(needs changes 2, 3\)/, RUN_LIMIT_MS);
      await workbench.editor.clickLens(/Diff/);
      await workbench.page
        .locator(".editor-group-container.active .editor.modified .codelens-decoration a", {
          hasText: "Accept",
        })
        .first()
        .waitFor();
      await workbench.screenshot("20-one-change");
      await workbench.openFile("matmul.cu");
      await workbench.editor.goToLine(1);
      const original = await workbench.editor.text();
      await workbench.editor.press("Control+Enter");
      await workbench.page.keyboard.type("// typed while the proposal waits");
      const typed = await textBecomes("the typed line", (text) => text.includes("// typed while"));
      // The text was read by selecting all of it, which scrolls to its end.
      await workbench.editor.goToLine(1);
      await workbench.screenshot("21-checked-by-itself");
      await waitForStatus(workbench, /All 3 changes with your edits: correct on \d+ cases/, RUN_LIMIT_MS);
      await workbench.screenshot("22-checked-again");
      await workbench.runCommand("Kernelwright: Accept All Changes");
      const accepted = await textBecomes("all changes", (text) => text !== typed);
      expect(accepted).toContain("// typed while the proposal waits");
      await workbench.editor.goToLine(1);
      await noLens(/Accept/);
      await workbench.screenshot("23-accepted-as-one");
      await workbench.editor.press("Control+Z");
      await textBecomes("what was typed, and nothing else", (text) => text === typed);
      await workbench.editor.goToLine(1);
      await workbench.editor.waitForLens(/Accept change 1/);
      expect(typed).not.toBe(original);
    },
  );

  step("says what can be done after a run, and what it said, and goes back to before it", () =>
    goBack(workbench, source, original),
  );

  step("goes on from a candidate of a run that has ended", () => goOn(workbench, RUN_LIMIT_MS));

  step("compares two sessions", () => compareSessions(workbench));

  step("filters and groups sessions, names one and deletes it", () => arrangeSessions(workbench));

  step("brings the trajectory back after the window was loaded anew", async () => {
    await workbench.reload();
    await workbench.page.locator(".tabs-container .tab", { hasText: "transpose trajectory" }).click();
    await pageFrame(workbench, /^transpose$/);
    await workbench.screenshot("28-trajectory-after-reload");
  });
});
