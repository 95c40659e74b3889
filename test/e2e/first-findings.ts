import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { takeFix } from "./popups";
import { hoverAt } from "./review-changes";

/** Files of what first users met: a kernel whose spec has a guess, a template that others launch. */
export const findingFiles: Readonly<Record<string, string>> = {
  // Nothing says that `order` holds each place once; `in` is a word of the language of references.
  "guess/scatter.cu": `__global__ void scatter(const float *in, const int *order, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = in[i];
}
`,
  "guess/scatter.cu.kernel.json": `{
  "version": 1,
  "kernel": "scatter.cu::scatter",
  "launch": { "grid": ["n / 32"], "block": [32],
    "arguments": ["in", "order", "out", { "value": "n", "dtype": "int32" }] },
  "inputs": {
    "in": { "dtype": "float32", "shape": ["n"] },
    "order": { "dtype": "int32", "shape": ["n"],
      // unknown: order leads into out: any number of its range is a guess.
      "distribution": { "kind": "range", "low": 0, "high": "n - 1" } },
    "out": { "dtype": "float32", "shape": ["n"] }
  },
  "outputs": { "out": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 4096 } }],
  "reference": "baseline",
  "origins": { "inputs.order.distribution": "guessed" }
}
`,
  "include/fade.cuh": `template <typename T, int N>
__global__ void fade(T *out, const T *in, int count) {
  __shared__ T tile[N * 32];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x] / N;
}
`,
  "src/fade.cu": `#include "../include/fade.cuh"

void go(float *x, double *y, int n) {
  fade<float, 4><<<n, 64>>>(x, x, n);
  fade<double, 2><<<n, 64>>>(y, y, n);
}
`,
};

/**
 * A fault under a guess is none of the kernel's: the guess is named, stands underlined in the spec, can be
 * tried and kept, and only then the fault stands on its line.
 */
export async function keepAGuess(workbench: Workbench): Promise<void> {
  const { editor, notifications, page } = workbench;
  const faults = page.locator(".monaco-editor .squiggly-error");
  await workbench.openFile("guess/scatter.cu");
  await editor.clickLens("Check");
  const guess = /With these guesses: wrong on/;
  await notifications.waitFor(guess);
  expect(await faults.count()).toBe(0);
  await workbench.screenshot("45-guess-named");
  await notifications.press(guess, "Set Up");
  await page
    .locator('.tabs-container .tab.active[data-resource-name="scatter.cu.kernel.json"]')
    .waitFor({ timeout: PATIENCE_MS });
  await page.locator(".monaco-editor .squiggly-warning").first().waitFor({ timeout: PATIENCE_MS });
  await editor.waitForLens("1 guess to look at");
  await workbench.runCommand("Notifications: Clear All Notifications");
  await hoverAt(workbench, { line: 10, column: 8 }, /A guess: order leads into out/);
  await workbench.screenshot("45-guess-in-spec");
  await page.keyboard.press("Escape");
  await editor.goToLine(1);
  await editor.clickLens("Preview run");
  await notifications.waitFor(/scatter at n=4096: grid 128 × 1 × 1, block 32 × 1 × 1; /);
  await workbench.screenshot("45-preview");
  await workbench.runCommand("Notifications: Clear All Notifications");
  await editor.goToLine(10, 8);
  await takeFix(workbench, "Keep what was guessed: inputs.order.distribution", "45-keep-guess");
  await eventually({
    what: "the spec without a guess",
    read: () => editor.text(),
    accept: (text) => !text.includes("guess"),
  });
  await editor.press("Control+S");
  await workbench.openFile("guess/scatter.cu");
  await editor.clickLens("Check");
  await faults.first().waitFor({ timeout: PATIENCE_MS });
  await notifications.waitFor(/scatter: wrong on .*race in global memory/);
  await workbench.screenshot("45-guess-kept");
  await workbench.runCommand("Notifications: Clear All Notifications");
}

/** A header has the facts of each instance of its template, and no error of a compiler. */
export async function openHeader(workbench: Workbench): Promise<void> {
  await workbench.openFile("include/fade.cuh");
  await workbench.editor.waitForLens(/<double, 2>: \d+ registers/);
  await workbench.editor.waitForLens(/<float, 4>: \d+ registers/);
  expect(await workbench.page.locator(".monaco-editor .squiggly-error").count()).toBe(0);
  await workbench.screenshot("46-template-in-header");
}

/** A check tells each case as it begins, and a click on what it tells ends it. */
export async function endACheck(workbench: Workbench, kernel: string): Promise<void> {
  const { editor, notifications, page } = workbench;
  await workbench.openFile(`${kernel}.cu`);
  await editor.clickLens("Check");
  const told = page.locator(".statusbar-item", { hasText: `Checking ${kernel}: case ` });
  const checking = page.locator(".statusbar-item", { hasText: `Checking ${kernel}` });
  await told.waitFor({ timeout: PATIENCE_MS });
  await workbench.screenshot("34-case-told");
  await told.locator("a").click();
  await checking.waitFor({ state: "detached", timeout: PATIENCE_MS });
  expect((await notifications.all()).join()).not.toContain(kernel);
  await workbench.screenshot("34-check-ended");
}

/** A setting of the folder takes lenses and facts off the text; without it they come back. */
export async function switchOff(workbench: Workbench, folder: string): Promise<void> {
  const { editor } = workbench;
  const isFact = ({ text }: { readonly text: string }): boolean => text.includes("of the modelled cost");
  const settings = join(folder, ".vscode", "settings.json");
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(settings, '{ "kernelwright.inlineFacts": false, "kernelwright.lenses": false }');
  await eventually({
    what: "lines without facts, and no lens over the kernel",
    read: async () => ({ lenses: await editor.lenses(), facts: await editor.decorations() }),
    accept: ({ lenses, facts }) => lenses.length === 0 && !facts.some(isFact),
  });
  await workbench.screenshot("07-switched-off");
  rmSync(join(folder, ".vscode"), { recursive: true });
  await editor.waitForDecoration(/of the modelled cost/);
  await editor.waitForLens("Check");
}

/** The lens that set a kernel up leads to its spec once that is there. */
export async function openSpecByLens(workbench: Workbench, folder: string, spec: string): Promise<void> {
  await workbench.editor.clickLens("Kernel spec");
  await workbench.page
    .locator(`.tabs-container .tab.active[data-resource-name="${spec}"]`)
    .waitFor({ timeout: PATIENCE_MS });
  await workbench.editor.waitForText();
  expect(await workbench.editor.text()).toBe(readFileSync(join(folder, spec), "utf8"));
  await workbench.editor.goToLine(1);
  await workbench.screenshot("67-spec-of-recording");
  await workbench.runCommand("View: Close Editor");
}
