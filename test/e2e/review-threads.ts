// The function given to evaluateAll runs inside the page.
/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { eventually } from "../harness/eventually";

/** Texts of the threads that stand open between the lines of the editor in front, top to bottom. */
async function shownThreads(page: Page): Promise<readonly string[]> {
  const shown = await page
    .locator(".editor-group-container.active .review-widget:visible")
    .evaluateAll((widgets) =>
      widgets.map((widget) => ({
        top: widget.getBoundingClientRect().top,
        text: (widget as HTMLElement).innerText,
      })),
    );
  // Those that are scrolled out stand far above the window.
  return shown
    .filter(({ top }) => top > 0)
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text)
    .map((text) => text.replaceAll("\u00a0", " ").replace(/\n+/g, "\n").trim());
}

/** Waits until exactly so many threads are open in view. */
export async function waitForThreads(
  page: Page,
  accept: (threads: readonly string[]) => boolean,
  what: string,
  limit?: number,
): Promise<readonly string[]> {
  return eventually({ what, read: () => shownThreads(page), accept, limit });
}

/** Presses a button in the title of the first thread that is open. */
export async function pressInThread(page: Page, button: string): Promise<void> {
  await page
    .locator(
      `.editor-group-container.active .review-widget:visible .head .action-label[aria-label^="${button}"]`,
    )
    .first()
    .click();
}
