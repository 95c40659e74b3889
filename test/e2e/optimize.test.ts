import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { eventually } from "../harness/eventually";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { pressInThread, waitForThreads } from "./review-threads";

/** How long one run of the agent over a sample may take, in milliseconds. */
const RUN_LIMIT_MS = 120_000;

/** The newcomer's way through the product, step by step in one window; each step leaves a screenshot. */
describe("optimize, from the lens to the exported trajectory", () => {
  const samples = copySamples();
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  const source = join(samples.folder, "transpose.cu");
  const original = readFileSync(source, "utf8");
  /** One-based. */
  const kernelLine = original.split("\n").findIndex((line) => line.includes("__global__")) + 1;
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
      settings: { "kernelwright.sessionsFolder": sessions, "files.autoSave": "off" },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("19-end-of-optimize");
    await workbench.close();
    samples.remove();
    rmSync(sessions, { recursive: true, force: true, maxRetries: 5 });
  });

  it("shows a lens over the kernel", async () => {
    await workbench.openFile("transpose.cu");
    await workbench.editor.waitForLens("Optimize");
    await workbench.screenshot("10-lens");
  });

  it("lets candidates arrive in the run tree", async () => {
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
  });

  it("shows the proposal inline with counters before and after, and leaves the file alone", async () => {
    // VS Code shows a comment first as one line and lays out its code a moment later.
    const parts = [/Change 1 of \d+/, /\n\+ .*\d/, /correct on \d+ cases/, /→/];
    await waitForThreads(
      workbench.page,
      ([first]) => parts.every((part) => part.test(first ?? "")),
      `the proposal inline: ${parts.join(", ")}`,
      RUN_LIMIT_MS,
    );
    await eventually({
      what: "the run ended",
      read: () => workbench.tree("Run").rows(),
      accept: (rows) =>
        rows.some(({ level, description }) => level === 1 && description.startsWith("improved")),
    });
    await workbench.screenshot("12-proposal");
    // VS Code itself shows its list of comments with the first thread of a window; its own key puts the panel
    // away.
    await workbench.page.keyboard.press("Control+J");
    expect(readFileSync(source, "utf8")).toBe(original);
    expect(await workbench.editor.text()).toBe(original);
  });

  it("accepts one change and takes it back with undo", async () => {
    const before = await waitForThreads(workbench.page, (threads) => threads.length > 0, "an open change");
    await pressInThread(workbench.page, "Accept Change");
    await textBecomes("the accepted change", (text) => text !== original);
    await workbench.editor.goToLine(kernelLine);
    await noLens(/Accept/);
    await workbench.screenshot("13-accepted");
    expect(readFileSync(source, "utf8")).toBe(original);
    await workbench.editor.press("Control+Z");
    await textBecomes("the text before", (text) => text === original);
    await workbench.editor.goToLine(kernelLine);
    await waitForThreads(
      workbench.page,
      (threads) => threads.length === before.length,
      "the change open again",
    );
    await workbench.editor.waitForLens(/Accept/);
    await workbench.screenshot("14-undone");
  });

  it("accepts all as one step", async () => {
    await workbench.runCommand("Kernelwright: Accept All Changes");
    const accepted = await textBecomes("all changes", (text) => text !== original);
    await waitForThreads(workbench.page, (threads) => threads.length === 0, "no open change");
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

  it("opens what a candidate changes, and the verdict on it", async () => {
    const tree = workbench.tree("Run");
    const [candidate] = (await tree.rows()).filter(({ level }) => level > 1).slice(-1);
    await tree.click(candidate?.label ?? "");
    await eventually({
      what: "the diff of the candidate",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.some((tab) => tab.includes("transpose.cu: baseline ↔")),
    });
    await workbench.screenshot("16-candidate");
    await tree.press(candidate?.label ?? "", "Show Verdict");
    await eventually({
      what: "the verdict on the candidate",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.some((tab) => tab.includes("Candidate ")),
    });
    await workbench.page
      .frameLocator("iframe.webview.ready")
      .frameLocator("iframe#active-frame")
      .getByRole("cell", { name: "passed" })
      .first()
      .waitFor();
    await workbench.screenshot("16-verdict");
  });

  it("keeps the session, shows its report and exports it", async () => {
    const tree = workbench.tree("Sessions");
    await tree.waitForRow("transpose");
    await tree.click("transpose");
    await eventually({
      what: "the report",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.some((tab) => tab.includes("transpose session")),
    });
    await workbench.page
      .frameLocator("iframe.webview.ready")
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

  it("profiles the accepted kernel: facts stand on its lines", async () => {
    await workbench.openFile("transpose.cu");
    await workbench.editor.goToLine(kernelLine);
    await workbench.editor.clickLens("Profile");
    await workbench.editor.waitForDecoration(/\d/, RUN_LIMIT_MS);
    await workbench.screenshot("18-facts");
  });

  it("says which changes need each other, checks again what was typed meanwhile, and takes them as one", async () => {
    await workbench.openFile("matmul.cu");
    await workbench.editor.clickLens("Optimize");
    await waitForThreads(
      workbench.page,
      ([first]) => /Change 1 of 3/.test(first ?? ""),
      "a proposal of several changes",
      RUN_LIMIT_MS,
    );
    await workbench.screenshot("19-being-found-out");
    await workbench.editor.waitForLens(/Accept change 1 \(needs changes 2, 3\)/, RUN_LIMIT_MS);
    await workbench.editor.goToLine(1);
    await waitForThreads(
      workbench.page,
      ([first]) => /needs changes 2, 3: they are accepted as one/.test(first ?? ""),
      "what the change needs",
    );
    await workbench.screenshot("20-one-change");
    const original = await workbench.editor.text();
    await workbench.editor.press("Control+Enter");
    await workbench.page.keyboard.type("// typed while the proposal waits");
    const typed = await textBecomes("the typed line", (text) => text.includes("// typed while"));
    // The text was read by selecting all of it, which scrolls to its end.
    await workbench.editor.goToLine(1);
    await workbench.screenshot("21-checked-by-itself");
    await waitForThreads(
      workbench.page,
      ([first]) => /All 3 changes with your edits: correct on \d+ cases/.test(first ?? ""),
      "the claim checked again",
      RUN_LIMIT_MS,
    );
    await workbench.screenshot("22-checked-again");
    await pressInThread(workbench.page, "Accept Change");
    const accepted = await textBecomes("all changes", (text) => text !== typed);
    expect(accepted).toContain("// typed while the proposal waits");
    await workbench.editor.goToLine(1);
    await waitForThreads(workbench.page, (threads) => threads.length === 0, "no open change");
    await workbench.screenshot("23-accepted-as-one");
    await workbench.editor.press("Control+Z");
    await textBecomes("what was typed, and nothing else", (text) => text === typed);
    await workbench.editor.goToLine(1);
    await waitForThreads(
      workbench.page,
      ([first]) => /Change 1 of 3/.test(first ?? ""),
      "all changes open again",
    );
    expect(typed).not.toBe(original);
  });
});
