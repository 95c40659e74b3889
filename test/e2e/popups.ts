import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { placeIn } from "./own-language-files";

/** Puts the cursor into the first occurrence of a piece of the text, where the `|` in `marked` stands. */
export async function goTo({ editor }: Workbench, marked: string): Promise<void> {
  const text = await editor.text();
  if (!text.includes(marked.replace("|", ""))) throw new Error(`the text has no ${marked}`);
  const { line, column } = placeIn(text, marked);
  await editor.goToLine(line, column);
}

/** What is typed with suggestions open, once they hold the one expected; they stay open. */
export async function suggested(workbench: Workbench, typed: string, expected: string): Promise<void> {
  await workbench.page.keyboard.type(typed, { delay: 20 });
  await workbench.page.keyboard.press("Control+Space");
  await eventually({
    what: `the suggestion ${expected}`,
    read: () => workbench.page.locator(".suggest-widget.visible .monaco-list-row").allInnerTexts(),
    accept: (rows) => rows.some((row) => row.includes(expected)),
  });
}

/** Waits for the parameters of a call. */
export async function parametersShown(workbench: Workbench, expected: string): Promise<void> {
  await workbench.page.keyboard.press("Control+Shift+Space");
  await eventually({
    what: `the parameters ${expected}`,
    read: () => workbench.page.locator(".parameter-hints-widget.visible").allInnerTexts(),
    accept: (texts) => texts.join("\n").includes(expected),
  });
}

/**
 * Gives the file of the editor in front another name, in the explorer, and agrees to what the extension wants
 * to change with it: its kernel spec.
 */
export async function renameActiveFile(workbench: Workbench, from: string, to: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand("File: Reveal Active File in Explorer View");
  await page
    .locator(".explorer-folders-view .monaco-list-row.focused", { hasText: from })
    .waitFor({ timeout: PATIENCE_MS });
  await page.keyboard.press("F2");
  await page.locator(".explorer-folders-view .monaco-inputbox input").first().fill(to);
  await page.keyboard.press("Enter");
  const dialog = page.locator(".monaco-dialog-box", { hasText: "wants to make refactoring changes" });
  await dialog.locator(".monaco-button", { hasText: "OK" }).click({ timeout: PATIENCE_MS });
  await page
    .locator(`.tabs-container .tab.active[data-resource-name="${to}"]`)
    .waitFor({ timeout: PATIENCE_MS });
}

/** Opens the quick fixes at the cursor and takes the first, which is the one expected, with the keyboard. */
export async function takeFix(workbench: Workbench, title: string, picture: string): Promise<void> {
  const first = workbench.page.locator(".action-widget .monaco-list-row.action.focused");
  await eventually({
    what: `the quick fix ${title}`,
    // The mistake is known a moment after the cursor is there.
    read: async () => {
      await workbench.editor.press("Control+.");
      await first.waitFor({ timeout: 3000 }).catch(() => undefined);
      return first.allInnerTexts();
    },
    accept: (texts) => texts.some((text) => text.includes(title)),
  });
  await workbench.screenshot(picture);
  await workbench.page.keyboard.press("Enter");
}
