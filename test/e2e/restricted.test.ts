import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS, eventually } from "../harness/eventually";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { languageFiles, placeIn } from "./own-language-files";
import { goTo, parametersShown, renameActiveFile, suggested, takeFix } from "./popups";
import { hoverAt } from "./review-changes";
import { themes, useTheme } from "./webview-page";

const trustQuestion = /only when you trust it/;

/** What the product is to somebody who reads code of others: nothing runs, and the languages are known. */
describe("a folder that is not trusted", () => {
  const step = scenario(() => workbench);
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-foreign-"));
  const textOf = (file: string): string => languageFiles[file] ?? "";
  let workbench: Workbench;

  beforeAll(async () => {
    for (const [file, text] of Object.entries(languageFiles)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    workbench = await openWorkbench({ workspace: folder, trusted: false });
  });
  afterAll(async () => {
    await workbench.screenshot("59-end-of-restricted");
    await workbench.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The text in the editor, as the editor keeps it. */
  const textBecomes = (what: string, accept: (text: string) => boolean): Promise<string> =>
    eventually({ what, read: () => workbench.editor.text(), accept });

  const undoAll = async (file: string): Promise<void> => {
    await workbench.runCommand("File: Revert File");
    await textBecomes("the file as it was", (text) => text === textOf(file));
  };

  step("keeps its lenses, and answers each with one sentence and one button", async () => {
    await workbench.openFile("src/run.cu");
    await workbench.editor.waitForLens("Optimize");
    await workbench.editor.clickLens("Check", 3);
    const said = await workbench.notifications.waitFor(trustQuestion);
    expect(said).toContain("Manage Workspace Trust");
    await workbench.showContainer("Kernelwright");
    const welcome = await workbench.tree("Run").welcome();
    expect(welcome).toContain("waits until you trust it");
    expect(welcome).toContain("Get Started");
    await workbench.tree("Kernels").waitForRow("clip_kernel");
    await workbench.screenshot("50-restricted");
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.page.locator(".welcome-view-content a", { hasText: "Get Started" }).first().click();
    await workbench.page
      .locator('.getting-started-step[data-step-id$="#check"]')
      .waitFor({ timeout: PATIENCE_MS });
    await workbench.screenshot("50-restricted-get-started");
    await workbench.runCommand("View: Close All Editors");
  });

  it.each([
    ["src/run.cu", "cudaMemcpy|Async", /Copies bytes in the order of a stream/, "51-hover-cuda"],
    ["ops/clip.py", "tl.lo|ad", /Loads elements from global memory/, "51-hover-triton"],
  ])("explains in %s what %s does", async (file, marked, sentence, picture) => {
    await workbench.openFile(file);
    await hoverAt(workbench, placeIn(textOf(file), marked), sentence);
    await workbench.screenshot(picture);
    await workbench.page.keyboard.press("Escape");
  });

  step("shows in every theme which lines have a classic mistake", async () => {
    await workbench.openFile("ops/clip.py");
    for (const theme of themes) {
      await useTheme(workbench, theme);
      await workbench.page
        .locator(".monaco-editor .squiggly-warning")
        .first()
        .waitFor({ timeout: PATIENCE_MS });
      await workbench.screenshot(`52-mistake-${theme.kind}`);
    }
  });

  step("masks a load by a quick fix", async () => {
    await workbench.openFile("ops/clip.py");
    await goTo(workbench, "tl.load(x_ptr| + i)");
    await takeFix(workbench, "Mask it with i < n", "53-quick-fix-triton");
    await textBecomes("the mask", (text) => text.includes("tl.load(x_ptr + i, mask=i < n"));
    await undoAll("ops/clip.py");
  });

  step("makes a double single by a quick fix", async () => {
    await workbench.openFile("src/run.cu");
    await goTo(workbench, "x[i] = 0.|5 * x[i]");
    await takeFix(workbench, "0.5f", "53-quick-fix-cuda");
    await textBecomes("single precision", (text) => text.includes("x[i] = 0.5f * x[i]"));
    await undoAll("src/run.cu");
  });

  step("completes names of CUDA and says what a call takes", async () => {
    await workbench.openFile("src/run.cu");
    await goTo(workbench, "cudaMemcpyDeviceToDevice, 0);|");
    await suggested(workbench, "\n__shfl_d", "__shfl_down_sync");
    await workbench.screenshot("54-completion-cuda");
    await workbench.page.keyboard.press("Escape");
    await undoAll("src/run.cu");
    await goTo(workbench, "cudaMemcpyAsync(y, |x");
    await parametersShown(workbench, "const void* src");
    await workbench.screenshot("54-parameters-cuda");
    await workbench.page.keyboard.press("Escape");
  });

  step("completes members of triton.language", async () => {
    await workbench.openFile("ops/clip.py");
    await goTo(workbench, "tl.load(x_ptr + i)|");
    await suggested(workbench, "\nz = tl.ara", "arange");
    await workbench.screenshot("55-completion-triton");
    await workbench.page.keyboard.press("Escape");
    await undoAll("ops/clip.py");
  });

  step("goes from a launch to its kernel, and lists where that is used", async () => {
    await workbench.openFile("src/run.cu");
    await goTo(workbench, "  da|mp<float>");
    await workbench.editor.press("F12");
    await workbench.page
      .locator('.tabs-container .tab.active[data-resource-name="damp.cuh"]')
      .waitFor({ timeout: PATIENCE_MS });
    await goTo(workbench, "void da|mp(");
    await workbench.editor.press("Shift+F12");
    const places = workbench.page.locator(".reference-zone-widget .ref-tree .monaco-list-row");
    await eventually({
      what: "the launch and the definition",
      read: () => places.allInnerTexts(),
      accept: (rows) =>
        rows.some((row) => row.includes("run.cu")) && rows.some((row) => row.includes("damp.cuh")),
    });
    await workbench.screenshot("56-references");
    await workbench.page.keyboard.press("Escape");
  });

  step("opens the list of targets on the one in use, and names GPUs", async () => {
    await workbench.runCommand("Kernelwright: Select Target");
    await workbench.page
      .locator('.quick-input-widget input[placeholder*="Now: A100 40GB SXM (sm_80), modelled"]')
      .waitFor();
    const focused = workbench.page.locator(".quick-input-list .monaco-list-row.focused");
    await eventually({
      what: "the target in use",
      read: () => focused.allInnerTexts(),
      accept: (rows) => rows.some((row) => row.includes("A100")),
    });
    await workbench.screenshot("57-targets");
    await workbench.page.keyboard.press("Escape");
  });

  step("renames a source with its kernel spec, and takes both back with one undo", async () => {
    const specs = (): Promise<readonly string[]> =>
      Promise.resolve(
        readdirSync(join(folder, "kernels"))
          .filter((name) => name.startsWith("gain") || name.startsWith("louder"))
          .sort(),
      );
    await workbench.openFile("kernels/gain.cu");
    await workbench.editor.waitForLens("Kernel spec");
    await renameActiveFile(workbench, "gain.cu", "louder.cu");
    await eventually({
      what: "both files with their new names",
      read: specs,
      accept: (names) => names.join() === "louder.cu,louder.cu.kernel.json",
    });
    await eventually({
      what: "the spec that names the renamed source",
      read: () => Promise.resolve(readFileSync(join(folder, "kernels", "louder.cu.kernel.json"), "utf8")),
      accept: (spec) => spec === textOf("kernels/gain.cu.kernel.json").replace("gain.cu::", "louder.cu::"),
      limit: 15_000,
    });
    await workbench.editor.waitForLens("Kernel spec");
    await workbench.screenshot("58-renamed-with-its-spec");
    await workbench.page.locator(".explorer-folders-view .monaco-list-row.focused").click();
    await workbench.page.keyboard.press("Control+Z");
    await eventually({
      what: "both files with their old names",
      read: specs,
      accept: (names) => names.join() === "gain.cu,gain.cu.kernel.json",
    });
    expect(readFileSync(join(folder, "kernels", "gain.cu.kernel.json"), "utf8")).toBe(
      textOf("kernels/gain.cu.kernel.json"),
    );
    await workbench.runCommand("View: Close All Editors");
  });

  step("renames a kernel where it is defined and where it is launched", async () => {
    await workbench.openFile("src/run.cu");
    await goTo(workbench, "  da|mp<float>");
    await workbench.editor.press("F2");
    await workbench.page.locator(".rename-box input").fill("soften");
    await workbench.screenshot("57-rename");
    await workbench.page.keyboard.press("Enter");
    await textBecomes("the launch renamed", (text) => text.includes("  soften<float><<<"));
    await workbench.openFile("kernels/damp.cuh");
    await textBecomes("the kernel renamed", (text) => text.includes("void soften("));
    // The editor saves what a rename changes.
    await eventually({
      what: "the kernel renamed on disk",
      read: () => Promise.resolve(readFileSync(join(folder, "kernels", "damp.cuh"), "utf8")),
      accept: (text) => text.includes("void soften("),
    });
  });
});
