import { expect } from "vitest";
import { PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { hoverAt } from "./review-changes";
import { themes, useTheme } from "./webview-page";

/** How long a run that tries one rewrite may take on a machine that does other things, in milliseconds. */
const RUN_LIMIT_MS = 240_000;

/** Applies one rule of those that the hover of a wasteful line offers, and rejects what it made. */
export async function applyOneRule(workbench: Workbench, file: string): Promise<void> {
  const { editor, page } = workbench;
  await workbench.openFile(file);
  await editor.goToLine(1);
  // Of the run before.
  await workbench.runCommand("Kernelwright: Reject All Changes");
  await workbench.runCommand("View: Hide Panel");
  await editor.clickLens("Profile");
  const { line } = await editor.waitForDecoration(/bank conflict/);
  const title = "Pad the rows of a shared tile";
  for (const theme of themes) {
    await useTheme(workbench, theme);
    await hoverAt(workbench, line, new RegExp(`${title}[^]*What usually helps`));
    await workbench.screenshot(`32-rule-in-hover-${theme.kind}`);
    await page.keyboard.press("Escape");
  }
  await editor.goToLine(line);
  await editor.press("Control+.");
  const action = page.locator(".action-widget .monaco-list-row.action", { hasText: title });
  await action.waitFor({ timeout: PATIENCE_MS });
  await workbench.screenshot("32-rule-in-lightbulb");
  await page.keyboard.press("Escape");
  const before = await editor.text();
  await hoverAt(workbench, line, new RegExp(title));
  await page.locator(".monaco-hover:visible a", { hasText: title }).click({ timeout: PATIENCE_MS });
  await editor.goToLine(1);
  await editor.waitForLens(/^Accept/, RUN_LIMIT_MS);
  await workbench.showContainer("Kernelwright");
  await editor.waitForDecoration(/^ \+ .*\+ 1\]/);
  await workbench.screenshot("32-rule-proposed");
  expect(await editor.text()).toBe(before);
  await workbench.runCommand("Kernelwright: Reject All Changes");
}
