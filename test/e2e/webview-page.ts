import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Result } from "axe-core";
import type { Frame } from "playwright-core";
import { expect } from "vitest";
import type { Workbench } from "../harness/workbench";

/** Built-in themes under which every page is looked at. */
export const themes = [
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

/** Looks at a page in every theme: pictures named `name-THEME`, and nothing that axe finds wrong. */
export async function lookInEveryTheme(workbench: Workbench, frame: Frame, name: string): Promise<void> {
  for (const theme of themes) {
    await workbench.runCommand("Preferences: Color Theme");
    await workbench.quickInput.pick(theme.name);
    await frame.locator(`body[data-vscode-theme-kind="${theme.kind}"]`).waitFor();
    await workbench.screenshot(`${name}-${theme.kind}`);
    expect(await accessibilityFaults(frame)).toEqual([]);
  }
}

/** What axe finds wrong with a page: rule, and the elements at fault. */
async function accessibilityFaults(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const violations = await frame.evaluate<Result[]>("axe.run().then(({ violations }) => violations)");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
