import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { copySamples } from "../harness/editor-host";
import { PATIENCE_MS, eventually } from "../harness/eventually";
import { addLargerMatmul } from "../harness/larger-matmul";
import { writeRacingKernel } from "../harness/racing-kernel";
import { startOpenAiServer } from "../harness/openai-server";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { lookInEveryTheme, pageFrame, themes, useTheme } from "./webview-page";
import { addProbe, describeHelpers, probeExtension } from "./probe-cases";
import { askInChat } from "./chat-cases";
import { endACheck, switchOff } from "./first-findings";
import { addPadded, endWithoutGain } from "./no-gain";
import { applyOneRule } from "./one-rule";
import { showTritonCode } from "./triton-code";
import { describeWalkthrough } from "./walkthrough-cases";

/** The first line of a file that has these words, from 1. */
function lineWith(folder: string, file: string, words: string): number {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(words)) + 1;
}

/** A program whose kernel lacks a barrier, and which looks right all the same. */
const program = `#include <cstdio>
#include "width.cuh"

__global__ void reversed(const float* x, float* y) {
  __shared__ float tile[128];
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[127 - threadIdx.x];
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, 512);
  cudaMallocManaged(&y, 512);
  for (int i = 0; i < 128; ++i) x[i] = i;
  reversed<<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum += x[i];
  printf("sum %g\\n", sum);
}
`;

/** One-based. */
const programLines = { main: 10 } as const;

describe("the workspace of samples", () => {
  const step = scenario(() => workbench);
  const samples = copySamples();
  let workbench: Workbench;

  beforeAll(async () => {
    writeRacingKernel(samples.folder);
    addPadded(samples.folder);
    // A check of seconds: the status bar shows nothing of a shorter one for certain.
    addLargerMatmul(samples.folder, "long_check", 512);
    // The list of files that the window searches is made when it opens.
    writeFileSync(join(samples.folder, "doubled.cu"), program);
    writeFileSync(join(samples.folder, "width.cuh"), "constexpr int width = 128;\n");
    await addProbe(samples.folder);
    workbench = await openWorkbench({ workspace: samples.folder, beside: [probeExtension], proposals: true });
  });
  afterAll(async () => {
    await workbench.close();
    samples.remove();
  });

  // A window of their own would take as long as all that follows.
  describeHelpers(() => workbench);
  describeWalkthrough(() => workbench);

  step("opens with the kernel in CUDA C++", async () => {
    // The walkthrough's sample has the same name.
    await workbench.openFile(join(samples.folder, "transpose.cu"));
    await eventually({
      what: "the kernel",
      read: () => workbench.editor.lines(),
      accept: (lines) => [...lines.values()].join("\n").includes("__global__"),
    });
    await eventually({
      what: "the language, and the GPU that is modelled",
      read: () => workbench.statusItems(),
      accept: (items) =>
        items.includes("CUDA C++") &&
        items.some((item) => item.includes("A100 40GB SXM (sm_80), modelled · ready")),
    });
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.screenshot("01-workbench");
    await workbench.editor.clickLens("Profile");
    await workbench.editor.waitForDecoration(/bank conflict/);
    await workbench.editorScreenshot("31-profile", 620);
    await workbench.editor.clickLens("Check");
    await workbench.notifications.waitFor(/transpose: correct on \d+ cases/);
    await workbench.editorScreenshot("31-check");
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  step(
    "shows the machine code of a kernel beside it, with the lines that belong to the cursor's",
    async () => {
      await workbench.openFile("transpose.cu");
      await workbench.editor.clickLens(/registers/);
      await workbench.quickInput.pick("SASS");
      await workbench.page.getByText("operands have been read").waitFor({ timeout: PATIENCE_MS });
      await workbench.editor.goToLine(lineWith(samples.folder, "transpose.cu", "output["));
      await eventually({
        what: "a store among the marked lines",
        read: () => workbench.page.locator(".monaco-editor .view-line").allInnerTexts(),
        accept: (lines) => lines.some((line) => line.includes("STG")),
      });
      await workbench.screenshot("03-machine-code");
      await workbench.editorScreenshot("31-machine-code");
      await workbench.runCommand("View: Close All Editors");
    },
  );

  step("shows Triton's own forms and PTX beside a kernel, their lines linked and coloured", () =>
    showTritonCode(workbench, "softmax.py", lineWith(samples.folder, "softmax.py", "tl.store(")),
  );

  step("draws what a kernel does to a GPU, beside another GPU", async () => {
    await workbench.openFile("transpose.cu");
    await workbench.runCommand("Kernelwright: Show Kernel Performance");
    const frame = await pageFrame(workbench, /^Performance of transpose/);
    await frame.getByLabel("Compare with GPU").selectOption("H100 SXM");
    await frame.getByText("Now, on H100 SXM: 533 ns modelled").waitFor({ timeout: PATIENCE_MS });
    await frame.getByText("Resources: the numbers").press("Enter");
    await frame.getByRole("row", { name: /least for the data/ }).waitFor();
    await frame.getByRole("heading", { name: "Performance of transpose" }).scrollIntoViewIfNeeded();
    await workbench.editorScreenshot("31-performance");
    await lookInEveryTheme(workbench, frame, "17-performance");
    await frame.getByRole("heading", { name: "One multiprocessor over time" }).scrollIntoViewIfNeeded();
    await frame.getByText("Multiprocessor over time: the numbers").scrollIntoViewIfNeeded();
    await workbench.screenshot("18-performance-over-time");
    await workbench.runCommand("View: Close All Editors");
  });

  step("asks which kernel when no file is open, and lists the kernels of the folder", async () => {
    await workbench.runCommand("View: Close All Editors");
    await workbench.showContainer("Kernelwright");
    await workbench.tree("Kernels").waitForRow("transpose");
    await workbench.runCommand("Kernelwright: Optimize Kernel");
    await eventually({
      what: "the kernels to choose from",
      read: () => workbench.quickInput.choices(),
      accept: (all) => ["matmul", "shift", "softmax_kernel"].every((name) => all.includes(name)),
    });
    await workbench.screenshot("04-which-kernel");
    await workbench.page.keyboard.press("Escape");
  });

  step("asks on one sheet how a run is made, and remembers it for the workspace", async () => {
    const { quickInput } = workbench;
    const open = async (file: string): Promise<void> => {
      await workbench.openFile(file);
      await workbench.editor.waitForLens("Optimize");
      await workbench.runCommand("Kernelwright: Optimize Kernel with Options…");
    };
    await open("doubled.cu");
    await quickInput.pick(/May touch: doubled.cu$/);
    await quickInput.pick("width.cuh");
    await workbench.page.keyboard.press("Enter");
    await quickInput.pick(/Strategy: Rulebook/);
    await quickInput.pick("Refine with a model");
    await eventually({
      what: "what was chosen, and the model that is needed now",
      read: () => quickInput.choices(),
      accept: (all) =>
        ["May touch: doubled.cu, width.cuh", "Model: none yet"].every((words) =>
          all.some((label) => label.includes(words)),
        ),
    });
    await workbench.page.keyboard.press("Escape");
    for (const theme of themes) {
      await useTheme(workbench, theme);
      await open("doubled.cu");
      await eventually({
        what: "the sheet as it was left",
        read: () => quickInput.choices(),
        accept: (all) => all.length === 6 && all.some((label) => label.includes("width.cuh")),
      });
      await workbench.screenshot(`20-start-sheet-${theme.kind}`);
      await workbench.page.keyboard.press("Escape");
    }
    await open("transpose.cu");
    await quickInput.pick(/Strategy: Refine/);
    await quickInput.pick("Rulebook");
    await quickInput.pick(/Budget: /);
    await quickInput.answer("0, 5, 1", "US dollars, minutes and candidates of a run");
    await quickInput.pick(/Start$/);
    await workbench.showContainer("Kernelwright");
    const row = await workbench.tree("Run").waitForRow("transpose");
    expect(row.label).toBe("transpose");
    await eventually({
      what: "the tooltip that says what was remembered",
      // A row that is drawn anew at that moment closes its tooltip.
      read: async () => {
        await workbench.page.mouse.move(700, 500);
        await workbench.page.locator(".monaco-list-row", { hasText: "of 1 candidate" }).first().hover();
        const tooltip = workbench.page.getByText("Started as remembered for this workspace");
        return tooltip.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      },
      accept: (isShown) => isShown,
    });
    await workbench.screenshot("21-started-as-remembered");
  });

  step("checks kernels as tests, a shape that failed below its kernel", async () => {
    await workbench.openFile("racing.cu");
    // The view is there once the extension has started.
    await workbench.editor.waitForLens("Check");
    await workbench.runCommand("Testing: Focus on Test Explorer View");
    const rows = workbench.page.locator(".test-explorer .monaco-list-row");
    await rows.filter({ hasText: "racing.cu" }).click();
    await workbench.page.keyboard.press("ArrowRight");
    await rows.filter({ hasText: "shift" }).hover();
    await rows.filter({ hasText: "shift" }).locator(".codicon-testing-run-icon").click();
    await workbench.page
      .locator(".test-explorer .codicon-testing-failed-icon")
      .first()
      .waitFor({ timeout: PATIENCE_MS });
    const kernel = rows.filter({ hasText: "shift" });
    await eventually({
      what: "the shape that failed",
      read: async () => {
        // The row may get its children, and with them its fold, after its icon.
        if ((await kernel.getAttribute("aria-expanded")) === "false")
          await kernel.locator(".monaco-tl-twistie").click();
        return rows.allInnerTexts();
      },
      accept: (all) => all.some((text) => text.includes("n=128")),
    });
    await workbench.screenshot("05-tests");
    await workbench.showContainer("Kernelwright");
    await eventually({
      what: "the verdict among the kernels",
      read: () => workbench.tree("Kernels").waitForRow("shift"),
      accept: ({ description }) => description === "failed · racing.cu:1",
    });
    await workbench.editor.goToLine(3);
    // A line above: one edit, which one undo takes back.
    await workbench.editor.press("Control+Shift+Enter");
    const stale = await workbench.editor.waitForDecoration(/before your edits: .* of the modelled cost/);
    expect(stale.line).toBe(4);
    await workbench.screenshot("06-stale-facts");
    await workbench.editor.press("Control+Z");
    await workbench.editor.waitForDecoration(/^\s*\d+% of the modelled cost/);
    await workbench.screenshot("07-heat");
    await workbench.runCommand("Kernelwright: Focus on Lines View");
    await workbench.tree("Lines").waitForRow(/^39% · line 4$/);
    await workbench.runCommand("Kernelwright: Sort Lines by Cost or Place");
    await eventually({
      what: "the lines in the order of the file",
      read: () => workbench.tree("Lines").rows(),
      accept: ([first]) => first?.label.endsWith("line 1") === true,
    });
    await workbench.screenshot("07-lines");
  });

  step("switches lenses and facts off by a setting of the folder", () =>
    switchOff(workbench, samples.folder),
  );

  step("tells each case of a check as it begins, and ends the check by a click", () =>
    endACheck(workbench, "long_check"),
  );

  step("answers in the editor's chat what costs most, with links to its lines", () =>
    askInChat(workbench, "racing.cu"),
  );

  step("shows a race on its line, and the other line below it among the problems", async () => {
    await workbench.openFile("racing.cu");
    await workbench.editor.clickLens("Check");
    await workbench.page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: PATIENCE_MS });
    await workbench.runCommand("Problems: Focus on Problems View");
    const problems = workbench.page.locator(".markers-panel .monaco-list-row");
    await problems.first().waitFor({ timeout: PATIENCE_MS });
    await workbench.page.keyboard.press("Control+ArrowDown");
    await eventually({
      what: "the problem with its other line",
      read: () => problems.allInnerTexts(),
      accept: (rows) =>
        rows.some((row) => row.includes("shared-race")) &&
        rows.some((row) => row.includes("the other write")),
    });
    await workbench.screenshot("02-race");
  });

  step("runs a program in a terminal, sanitizes it with findings on its lines, and profiles it", async () => {
    await workbench.openFile("doubled.cu");
    await workbench.editor.clickLens("Run", programLines.main);
    await eventually({
      what: "what the program prints",
      read: () => workbench.page.locator(".terminal-wrapper .xterm-rows").allInnerTexts(),
      accept: (texts) => texts.join("\n").replaceAll("\u00a0", " ").includes("sum 8128"),
    });
    await workbench.screenshot("10-program-in-terminal");
    await workbench.editor.clickLens("Sanitize", programLines.main);
    await workbench.page.locator(".monaco-editor .squiggly-error").first().waitFor({ timeout: PATIENCE_MS });
    await workbench.runCommand("Problems: Focus on Problems View");
    await eventually({
      what: "the race, and its other line",
      read: () => workbench.page.locator(".markers-panel .monaco-list-row").allInnerTexts(),
      accept: (rows) => rows.some((row) => row.includes("race in shared memory")),
    });
    await workbench.screenshot("11-program-sanitized");
    await workbench.editor.clickLens("Profile", programLines.main);
    await workbench.editor.waitForDecoration(/of the modelled cost/);
    await workbench.screenshot("12-program-profiled");
    writeFileSync(join(samples.folder, "doubled.cu"), program.replace("float sum = 0;", "float sum = lost;"));
    await eventually({
      what: "the program as it is now",
      read: () => workbench.editor.lines(),
      accept: (lines) => [...lines.values()].join("\n").includes("lost"),
    });
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.editor.clickLens("Run", programLines.main);
    await workbench.notifications.press(/doubled\.cu does not compile/, "Show Problems");
    await eventually({
      what: "what the compiler says of the program, once, on its line",
      read: () => workbench.page.locator(".markers-panel .monaco-list-row").allInnerTexts(),
      accept: (rows) => rows.filter((row) => /identifier "lost" is undefined.*Ln 17/s.test(row)).length === 1,
    });
    await workbench.screenshot("13-program-does-not-compile");
    writeFileSync(join(samples.folder, "doubled.cu"), program);
  });

  step("applies one rule of those that a line's hover offers, checked and proposed for review", () =>
    applyOneRule(workbench, "transpose.cu"),
  );

  step("says after a run without a gain what was tried, and what can be done", () =>
    endWithoutGain(workbench),
  );

  step("sets up a model of another endpoint: key, its list of models, a word from it", async () => {
    const key = "sk-editor-0123456789abcdef";
    const server = await startOpenAiServer({
      key,
      models: ["coder-7b", "embed-1"],
      replies: [{ text: "ready" }],
    });
    try {
      const { quickInput, notifications } = workbench;
      await workbench.openFile("transpose.cu");
      // The palette has the command once the extension has started.
      await workbench.editor.waitForLens("Check");
      await workbench.runCommand("Kernelwright: Select Model");
      await quickInput.pick(/A service, or another endpoint/);
      await quickInput.pick(/Another address/);
      await quickInput.answer(server.url, "Address of an OpenAI-compatible endpoint");
      await quickInput.answer("sk-wrong-0123456789abcdef", "Key of 127.0.0.1");
      await notifications.waitFor(/refused the key/);
      await notifications.press(/refused the key/, "Change Key");
      await quickInput.answer(key, "Key of 127.0.0.1");
      await eventually({
        what: "the models that can hold a conversation",
        read: () => quickInput.choices(),
        accept: (all) => all.includes("coder-7b") && !all.includes("embed-1"),
      });
      await workbench.screenshot("08-models-of-an-endpoint");
      await quickInput.pick("coder-7b");
      await notifications.waitFor(/coder-7b answered in .*free/);
      await workbench.screenshot("09-model-answered");
    } finally {
      await server.close();
    }
  });
});
