import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { PATIENCE_MS, eventually } from "../harness/eventually";
import { type OpenAiServer, startOpenAiServer } from "../harness/openai-server";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { recordedProgram, recordTwice } from "./lost-recording";
import { goTo, renameActiveFile, takeFix } from "./popups";
import { waitForStatus } from "./review-changes";
import {
  brokenKernel,
  endedEarly,
  misspelt,
  steeredKernel,
  steeredModel,
  steeredSpec,
} from "./steered-kernel";
import { lookInEveryTheme, pageFrame, themes, useTheme } from "./webview-page";

const RUN_LIMIT_MS = 240_000;

/** A run of a model that somebody follows and steers, its review with their own edits, and what fails. */
describe("a run with a model", () => {
  const step = scenario(() => workbench);
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-steered-"));
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  let server: OpenAiServer;
  let workbench: Workbench;

  beforeAll(async () => {
    const files = {
      "polish.cu": steeredKernel,
      "polish.cu.kernel.json": steeredSpec,
      "broken.cu": brokenKernel,
      "soften.cu": endedEarly.source,
      "soften.cu.kernel.json": endedEarly.spec,
      "twice.cu": misspelt.source,
      "twice.cu.kernel.json": misspelt.spec,
      "halve.cu": recordedProgram,
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    server = await startOpenAiServer({ replies: steeredModel });
    workbench = await openWorkbench({
      workspace: folder,
      settings: {
        "kernelwright.sessionsFolder": sessions,
        "kernelwright.strategy": "refine",
        "kernelwright.model.endpoint": server.url,
        "kernelwright.model.name": "scripted",
        "kernelwright.model.price": "free",
      },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("69-end-of-steering");
    await workbench.close();
    await server.close();
    for (const each of [folder, sessions]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  });

  const runBecomes = (state: RegExp, limit = RUN_LIMIT_MS): Promise<unknown> =>
    eventually({
      what: `the run ${state}`,
      read: () => workbench.tree("Run").rows(),
      accept: (rows) => rows.some(({ level, description }) => level === 1 && state.test(description)),
      limit,
    });

  const textBecomes = (what: string, accept: (text: string) => boolean): Promise<string> =>
    eventually({ what, read: () => workbench.editor.text(), accept });

  const activeTab = (name: string): Promise<void> =>
    workbench.page
      .locator(`.tabs-container .tab.active[data-resource-name="${name}"]`)
      .waitFor({ timeout: PATIENCE_MS });

  step("shows what the model says while it says it", async () => {
    await workbench.openFile("polish.cu");
    await workbench.editor.clickLens("Optimize");
    await runBecomes(/asking scripted/);
    await workbench.tree("Run").press("polish", "Listen to Run");
    await workbench.page
      .locator(".part.panel .view-lines", { hasText: "they look expensive" })
      .waitFor({ timeout: PATIENCE_MS });
    await workbench.screenshot("60-listening");
    await workbench.runCommand("View: Hide Panel");
  });

  step("takes a message in the middle of the run, which the model reads before its next turn", async () => {
    await workbench.tree("Run").press("polish", "Send Message to Run");
    await workbench.page.locator(".quick-input-title", { hasText: "Message to the model" }).waitFor();
    await workbench.screenshot("61-message");
    await workbench.quickInput.answer("keep the signature as it is");
    await waitForStatus(workbench, /The model reads it before its next turn/);
    server.release();
    await server.received(2);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("keep the signature as it is");
    expect(JSON.stringify(server.requests[1]?.body)).toContain("keep the signature as it is");
  });

  step("pauses after the present step, gets more to spend, and goes on to its proposal", async () => {
    await server.received(5);
    await workbench.tree("Run").press("polish", "Pause Run");
    await runBecomes(/pauses after this step/);
    server.release();
    await runBecomes(/^paused/);
    await workbench.screenshot("62-paused");
    expect(server.requests).toHaveLength(5);
    await workbench.runCommand("Kernelwright: Raise Budget of Run");
    await workbench.quickInput.pick("Half of it");
    await waitForStatus(workbench, /The run has .* on top of what it had/);
    await workbench.tree("Run").press("polish", "Continue Run");
    await runBecomes(/improved/);
    await workbench.openFile("polish.cu");
    await workbench.editor.waitForLens(/Accept change 1/);
    for (const theme of themes) {
      await useTheme(workbench, theme);
      await workbench.editor.waitForLens(/Accept change 1/);
      await workbench.screenshot(`63-proposal-${theme.kind}`);
    }
  });

  const conflict = /Change 1 conflicts with your edit/;

  step("says before Accept that a change conflicts, and keeps what the user wrote", async () => {
    await goTo(workbench, "a = 0.999 * a + 0.001;|");
    await workbench.page.keyboard.type(" // mine");
    await workbench.editor.waitForLens(conflict);
    const mine = await workbench.editor.text();
    await workbench.runCommand("Kernelwright: Accept All Changes");
    await workbench.notifications.waitFor(/None of the 2 changes was made/);
    await workbench.screenshot("64-all-with-conflict");
    expect(await workbench.editor.text()).toBe(mine);
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.editor.goToLine(1);
    await workbench.editor.clickLens(conflict);
    await workbench.screenshot("64-conflict");
    await workbench.quickInput.pick("Keep mine");
    await waitForStatus(workbench, /rejected: undo/);
    expect(await workbench.editor.text()).toContain("// mine");
    await workbench.runCommand("Kernelwright: Undo Reject");
    await waitForStatus(workbench, /2 of 2 changes open/);
    await workbench.editor.waitForLens(conflict);
  });

  const mergeByHand = async (): Promise<void> => {
    await workbench.editor.clickLens(conflict);
    await workbench.quickInput.pick("Edit by hand");
    await workbench.page
      .locator(".merge-editor .code-view.input", { hasText: "0.999f" })
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  };

  step("opens a conflict in the merge editor, and records what was taken there", async () => {
    await mergeByHand();
    for (const theme of themes) {
      await useTheme(workbench, theme);
      await workbench.screenshot(`65-by-hand-${theme.kind}`);
    }
    for (const title of ["Accept Proposal", "Remove Yours"])
      await workbench.page
        .locator(".merge-editor a", { hasText: title })
        .first()
        .click({ timeout: PATIENCE_MS });
    await workbench.runCommand("Merge Editor: Complete Merge");
    await activeTab("polish.cu");
    await waitForStatus(workbench, /1 of 2 changes open/);
    await textBecomes("their lines", (text) => text.includes("0.999f * a") && !text.includes("// mine"));
    await workbench.editor.press("Control+Z");
    await workbench.editor.press("Control+Z");
    await textBecomes(
      "my line again",
      (text) => text.includes("0.001; // mine") && !text.includes("0.999f * a"),
    );
    await workbench.editor.goToLine(1);
    await workbench.editor.waitForLens(conflict);
  });

  step("asks what a text counts as that is neither side, and leaves it as it is", async () => {
    await mergeByHand();
    await goTo(workbench, "0.001; // mine|");
    await workbench.page.keyboard.type(" and merged");
    await workbench.runCommand("Merge Editor: Complete Merge");
    await workbench.notifications.waitFor(/Change 1: merged by hand/);
    await workbench.screenshot("65-merged-by-hand");
    await workbench.notifications.press(/Change 1: merged by hand/, "Rejected");
    await waitForStatus(workbench, /rejected: undo/);
    await textBecomes("the merged line", (text) => text.includes("// mine and merged"));
    await workbench.runCommand("Kernelwright: Undo Reject");
    await workbench.editor.press("Control+Z");
    await workbench.editor.goToLine(1);
    await workbench.editor.waitForLens(conflict);
  });

  step("takes the lines of the proposal, and gives both back by undo", async () => {
    await workbench.openFile("polish.cu");
    await workbench.editor.goToLine(1);
    await workbench.editor.clickLens(conflict);
    await workbench.quickInput.pick("Take theirs");
    await textBecomes("their lines", (text) => text.includes("0.999f * a") && !text.includes("// mine"));
    await workbench.editor.press("Control+Z");
    await workbench.editor.press("Control+Z");
    await textBecomes("my line again", (text) => text.includes("0.001; // mine"));
    // The merges were saved.
    writeFileSync(join(folder, "polish.cu"), steeredKernel);
    await workbench.runCommand("File: Revert File");
    await textBecomes("the file as it was", (text) => text === steeredKernel);
    await workbench.editor.waitForLens(/Accept change 1/);
  });

  step("keeps a review with its file through a new name and a new window", async () => {
    await renameActiveFile(workbench, "polish.cu", "smooth.cu");
    await workbench.editor.waitForLens(/Accept change 1/);
    await workbench.reload();
    await workbench.openFile("smooth.cu");
    await workbench.editor.waitForLens(/Accept change 1/);
    // Nothing but the name has changed since the proposal was checked.
    await waitForStatus(workbench, /2 of 2 changes open · correct on \d+ cases · simulated time .* → /);
    await workbench.screenshot("66-renamed-and-reloaded");
    // Its session has gone with the file.
    await workbench.showContainer("Kernelwright");
    expect((await workbench.tree("Kernels").waitForRow("polish")).description).toMatch(
      /^(bound )?([\d.]+ .s · )?best .*−\d+% · smooth\.cu:2$/,
    );
    await workbench.runCommand("Kernelwright: Accept All Changes");
    const accepted = await textBecomes("both changes", (text) => text.includes("0.998f * rest"));
    await workbench.editor.press("Control+S");
    await eventually({
      what: "the renamed file saved",
      read: () => Promise.resolve(readFileSync(join(folder, "smooth.cu"), "utf8")),
      accept: (text) => text === accepted,
    });
  });

  step("offers what it has found before its end, and ends for it", async () => {
    await workbench.openFile("soften.cu");
    await workbench.editor.clickLens("Optimize");
    await workbench.editor.waitForLens(/^Stop and review: .*−\d+%/, RUN_LIMIT_MS);
    await workbench.screenshot("66-stop-and-review");
    await workbench.editor.clickLens(/^Stop and review/);
    await eventually({
      what: "no lens that stops the run once more",
      read: () => workbench.editor.lenses(),
      accept: (lenses) => !lenses.some(({ text }) => text.startsWith("Stop and review")),
      limit: 10_000,
    });
    await workbench.editor.waitForLens(/^Accept change 1/);
    await runBecomes(/improved .*you took the best version so far/);
    await workbench.screenshot("66-reviewed-early");
    await workbench.runCommand("Kernelwright: Accept All Changes");
    await textBecomes("the change", (text) => text.includes("0.999f * a"));
    await workbench.runCommand("File: Revert File");
  });

  step("says of a kernel that cannot be profiled why, and shows the line", async () => {
    await workbench.openFile("broken.cu");
    await workbench.editor.clickLens("Profile");
    await workbench.notifications.waitFor(/there is no profile.*undefined_name/s, RUN_LIMIT_MS);
    await workbench.screenshot("67-no-profile");
    await workbench.notifications.press(/there is no profile/, "Show Line");
    await waitForStatus(workbench, /^Ln 3, Col 1$/);
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  step("opens the spec that a recording wrote, and records again what is lost", async () => {
    await workbench.openFile("halve.cu");
    await recordTwice(workbench, folder, sessions);
  });

  step("opens the kernel spec where it has a mistake", async () => {
    await workbench.openFile("twice.cu");
    await workbench.editor.clickLens("Profile");
    await workbench.notifications.press(/twice\.cu\.kernel\.json:9:/, "Open File");
    await activeTab("twice.cu.kernel.json");
    await waitForStatus(workbench, /^Ln 9, Col 1$/);
    await workbench.screenshot("67-mistake-in-spec");
    await workbench.runCommand("Notifications: Clear All Notifications");
    await takeFix(workbench, 'Change it to "tolerance"', "67-mistake-mended");
    await eventually({
      what: "the right name",
      read: () => workbench.editor.text(),
      accept: (text) => text.includes('"tolerance"'),
    });
    await workbench.runCommand("File: Revert File");
  });

  step(
    "names the address and the setting of a model that does not answer, with the buttons that mend it",
    async () => {
      await server.close();
      await workbench.openFile("twice.cu");
      rmSync(join(folder, "twice.cu.kernel.json"));
      await workbench.editor.clickLens("Optimize");
      const said = await workbench.notifications.waitFor(/http:\/\/127\.0\.0\.1:\d+\/v1: /, RUN_LIMIT_MS);
      for (const words of ["setting kernelwright.model.endpoint", "Test Model", "Change Address"])
        expect(said).toContain(words);
      await workbench.screenshot("68-no-model");
      await workbench.notifications.press(/setting kernelwright/, "Change Address");
      await workbench.page
        .locator(".settings-editor .setting-item-label", { hasText: "Endpoint" })
        .first()
        .waitFor({ timeout: PATIENCE_MS });
      await workbench.screenshot("68-setting-of-model");
      await workbench.runCommand("View: Close Editor");
      await workbench.runCommand("Notifications: Clear All Notifications");
    },
  );

  step(
    "says what is missing on the machine, in every theme, and mends a setting that names a wrong compiler",
    async () => {
      const machineSettings = join(workbench.host.data, "Machine", "settings.json");
      const settings = (): Record<string, unknown> =>
        JSON.parse(readFileSync(machineSettings, "utf8")) as Record<string, unknown>;
      writeFileSync(machineSettings, JSON.stringify({ ...settings(), "kernelwright.nvcc": "/nowhere/nvcc" }));
      await workbench.runCommand("Kernelwright: Doctor: What Is on This Machine");
      const frame = await pageFrame(workbench, /^What Kernelwright finds on this machine$/);
      const reset = frame.getByRole("button", { name: "Reset Setting: CUDA compiler" });
      await reset.waitFor({ timeout: PATIENCE_MS });
      expect(await frame.getByRole("heading", { name: /^Editor/ }).count()).toBe(0);
      await lookInEveryTheme(workbench, frame, "68-doctor");
      await reset.click();
      await frame.getByRole("row", { name: /CUDA compiler release/ }).waitFor({ timeout: PATIENCE_MS });
      await workbench.screenshot("68-doctor-mended");
      expect(settings()).not.toHaveProperty(["kernelwright.nvcc"]);
      await workbench.runCommand("View: Close All Editors");
    },
  );

  step("writes a .clangd on request, and says what to do with it", async () => {
    await workbench.runCommand("Kernelwright: Write .clangd for CUDA");
    await activeTab(".clangd");
    await workbench.notifications.waitFor(/Restart language server/);
    expect(await workbench.editor.text()).toContain("CompileFlags");
    await workbench.screenshot("68-clangd");
  });
});
