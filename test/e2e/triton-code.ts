import { expect } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { themes, useTheme } from "./webview-page";

/** What Triton makes of a kernel on the way to machine code, with an operation of its store in each. */
const forms = [
  { title: "Triton IR", ending: "ttir", store: "tt.store" },
  { title: "Triton GPU IR", ending: "ttgir", store: "tt.store" },
  { title: "PTX", ending: "ptx", store: "st.global" },
] as const;

/** Of the bars that tie lines of a source to those of its listings. */
const linkWidth = "3px";

/** Shows each form of a Triton kernel beside its source, with the line of its store marked in both. */
export async function showTritonCode(workbench: Workbench, file: string, store: number): Promise<void> {
  const { editor, page, quickInput } = workbench;
  for (const { title, ending, store: operation } of forms) {
    await workbench.openFile(file);
    await editor.goToLine(1);
    await editor.waitForLens("Check");
    await workbench.runCommand("Kernelwright: Show Machine Code");
    await quickInput.pick(title);
    const listing = page.locator(".editor-group-container", {
      has: page.locator(`.tab.active[data-resource-name$=".${ending}"]`),
    });
    await listing.locator(".view-line").first().waitFor({ timeout: PATIENCE_MS });
    await editor.goToLine(store);
    await eventually({
      what: `${operation} among the marked lines of the ${title}`,
      read: () => listing.locator(".view-line").allInnerTexts(),
      accept: (lines) => lines.some((line) => line.replaceAll("\u00a0", " ").includes(operation)),
    });
    expect(await colouredBars(workbench)).toBeGreaterThan(1);
    for (const theme of ending === "ttgir" ? themes : themes.slice(0, 1)) {
      await useTheme(workbench, theme);
      await workbench.screenshot(`33-triton-${ending}-${theme.kind}`);
    }
    await workbench.runCommand("View: Close All Editors");
  }
}

/** How many colours the bars in the editors in view have. */
async function colouredBars({ page }: Workbench): Promise<number> {
  const colours = await page.locator(".monaco-editor .view-overlays .cdr").evaluateAll(
    (bars, width) =>
      bars
        .map((bar) => getComputedStyle(bar))
        .filter(({ borderLeftWidth }) => borderLeftWidth === width)
        .map(({ borderLeftColor }) => borderLeftColor),
    linkWidth,
  );
  return new Set(colours).size;
}
