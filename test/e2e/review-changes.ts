import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** Waits until the status bar says this about the proposal in the editor in front. */
export async function waitForStatus(workbench: Workbench, expected: RegExp, limit?: number): Promise<void> {
  await eventually({
    what: `the status ${expected}`,
    read: () => workbench.statusItems(),
    accept: (items) => items.some((item) => expected.test(item)),
    limit,
  });
}

/**
 * How long each opening of a hover is waited for, in milliseconds: whatever is drawn anew closes it, and on a
 * busy machine it comes late.
 */
const hoverMilliseconds = [5000, 5000, 10_000, 20_000, 30_000];

/** What the hover at a line, or before a column of it (both from 1), says; opened with the keyboard. */
export async function hoverAt(
  workbench: Workbench,
  place: number | { readonly line: number; readonly column: number },
  expected: RegExp,
): Promise<string> {
  const { line, column } = typeof place === "number" ? { line: place, column: 1 } : place;
  for (const [index, limit] of hoverMilliseconds.entries()) {
    await workbench.editor.goToLine(line, column);
    await workbench.editor.press("Control+K");
    await workbench.page.keyboard.press("Control+I");
    const shown = eventually({
      what: `the hover ${expected}`,
      read: () => workbench.page.locator(".monaco-hover:visible .hover-contents").allInnerTexts(),
      accept: (texts) => expected.test(texts.join("\n")),
      limit,
    });
    const isLast = index === hoverMilliseconds.length - 1;
    const texts = isLast ? await shown : await shown.catch(() => undefined);
    if (texts !== undefined) return texts.join("\n");
  }
  throw new Error("a hover is opened at least once");
}

/** Presses a lens in the right side of the diff editor in front. */
export async function pressInDiff(workbench: Workbench, title: string): Promise<void> {
  await workbench.page
    .locator(".editor-group-container.active .editor.modified .codelens-decoration a", { hasText: title })
    .first()
    .click();
}

/** How long VS Code may take to draw the lenses of a line anew, in milliseconds. */
const redrawMilliseconds = 10_000;

/**
 * Ends a run for the first better version that it offers, unless it comes to its end before, and waits for
 * its proposal, beside which nothing offers to stop the run.
 */
export async function stopAndReview({ editor, page }: Workbench, limit: number): Promise<void> {
  const offer = page.locator(".codelens-decoration a", { hasText: /^Stop and review/ }).first();
  await eventually({
    what: "a better version, or the end of the run",
    read: async () => {
      const lenses = await editor.lenses();
      if (lenses.some(({ text }) => text.startsWith("Accept"))) return true;
      // Lenses are drawn anew while the run goes on: one that has gone is looked for again.
      return offer.click({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    },
    accept: (isOver) => isOver,
    limit,
  });
  await editor.waitForLens(/^Accept/, limit);
  await eventually({
    what: "no lens that stops the run once more",
    read: () => editor.lenses(),
    accept: (lenses) => !lenses.some(({ text }) => text.startsWith("Stop and review")),
    limit: redrawMilliseconds,
  });
}
