import { expect } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { waitForStatus } from "./review-changes";

/** Asks `@kernelwright` about a kernel that was counted, and follows the link to the line that costs most. */
export async function askInChat(workbench: Workbench, file: string): Promise<void> {
  await workbench.openFile(file);
  await workbench.editor.goToLine(1);
  await workbench.runCommand("Chat: Focus on Chat View");
  const input = workbench.page.locator(".interactive-session .interactive-input-editor");
  await input.waitFor({ timeout: PATIENCE_MS });
  await input.click();
  await workbench.page.keyboard.type("@kernelwright what costs most?");
  await workbench.page.keyboard.press("Escape");
  await workbench.page.keyboard.press("Enter");
  const answers = workbench.page.locator(".interactive-session .interactive-response");
  const [answer] = await eventually({
    what: "what was counted",
    read: () => answers.allInnerTexts(),
    accept: (texts) => texts.some((text) => /Show Performance[^]*Show Machine Code/.test(text)),
  });
  expect(answer).toMatch(
    /shift spends its modelled cost:[^]*\w+\.cu:4: 39% · 28 warp instructions\n[^]*virtual GPU/,
  );
  await workbench.screenshot("14-chat");
  await answers
    .getByRole("link", { name: /\.cu:4$/ })
    .first()
    .click();
  await waitForStatus(workbench, /^Ln 4, Col 1$/);
  await workbench.runCommand("View: Hide Secondary Side Bar");
}
