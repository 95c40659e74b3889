// The functions at the end of this file run inside the page.
/// <reference lib="dom" />
import { errors, type Page } from "playwright-core";
import { eventually, matches, PATIENCE_MS } from "./eventually";

/** How long a lens that stands may take to be clicked, in milliseconds; after that it is looked for again. */
const CLICK_MS = 5_000;

/** A lens as it stands over a line. */
export interface ShownLens {
  /** The line below the lens, from 1. */
  readonly line: number;
  readonly text: string;
  /** False: only text, nothing to click. */
  readonly clickable: boolean;
}

/** Text that an extension adds to a line without changing the document. */
export interface ShownDecoration {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The text editor that is in front. It sees what is scrolled into view, like a user; go to a line first where
 * needed.
 */
export class EditorPane {
  constructor(private readonly page: Page) {}

  /** Waits until the editor shows text. */
  async waitForText(): Promise<void> {
    await this.page
      .locator(".editor-group-container.active .monaco-editor .view-line")
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  }

  /** Puts the cursor on a line, and before a column of it, both from 1, and the line into view. */
  async goToLine(line: number, column = 1): Promise<void> {
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget:visible input.input").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Visible lines by their number, from 1. */
  async lines(): Promise<ReadonlyMap<number, string>> {
    const shown = await this.page.evaluate(readLines);
    return new Map(shown.map(({ line, text }) => [line, text]));
  }

  /** The whole text of the document with what is not saved, by way of the clipboard; selects all. */
  async text(): Promise<string> {
    // The clipboard takes what is copied a moment later, so it holds until then what no document does.
    const nothingYet = "\u0000";
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), nothingYet);
    await this.focus();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.press("Control+C");
    return eventually({
      what: "the text copied",
      read: () => this.page.evaluate(() => navigator.clipboard.readText()),
      accept: (text) => text !== nothingYet,
    });
  }

  /** Lenses in view, top to bottom, left to right. */
  async lenses(): Promise<ShownLens[]> {
    return this.page.evaluate(readLenses);
  }

  /** Waits for a lens. */
  async waitForLens(text: string | RegExp, limit?: number): Promise<ShownLens> {
    const found = await eventually({
      what: `the lens ${text}`,
      read: () => this.lenses(),
      accept: (all) => all.some((lens) => matches(lens.text, text)),
      limit,
    });
    return found.find((lens) => matches(lens.text, text)) as ShownLens;
  }

  /** Clicks a lens; with a line, the one over that line. */
  async clickLens(text: string | RegExp, line?: number): Promise<void> {
    const wanted = (lens: ShownLens) =>
      lens.clickable && matches(lens.text, text) && (line === undefined || lens.line === line);
    await eventually({
      what: `the lens ${text} to click`,
      read: async () => {
        const clickable = (await this.lenses()).filter((lens) => lens.clickable);
        const index = clickable.findIndex(wanted);
        const found = clickable[index];
        const clicked = found !== undefined && (await clickedLens(this.page, index, found.text));
        return { seen: clickable.map((lens) => lens.text), clicked };
      },
      accept: ({ clicked }) => clicked,
    });
  }

  /** Texts that extensions add before or after lines in view. */
  async decorations(): Promise<ShownDecoration[]> {
    return this.page.evaluate(readDecorations);
  }

  /** Waits for an added text. */
  async waitForDecoration(text: RegExp, limit?: number): Promise<ShownDecoration> {
    const found = await eventually({
      what: `the decoration ${text}`,
      read: () => this.decorations(),
      accept: (all) => all.some((one) => text.test(one.text)),
      limit,
    });
    return found.find((one) => text.test(one.text)) as ShownDecoration;
  }

  /** Rests the mouse on a word in view and gives the text of the hover once it matches. */
  async hover(word: string, expected: RegExp): Promise<string> {
    await this.page
      .locator(".editor-group-container.active .view-line span span", { hasText: word })
      .first()
      .hover();
    const shown = () => this.page.locator(".monaco-hover:visible .hover-contents").allInnerTexts();
    return (
      await eventually({
        what: `a hover on ${word} with ${expected}`,
        read: shown,
        accept: (texts) => expected.test(texts.join("\n")),
      })
    ).join("\n");
  }

  /** Presses keys with the editor focused, as in "Control+Z". */
  async press(keys: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press(keys);
  }

  /** Gives the editor the keyboard without moving its cursor. */
  private async focus(): Promise<void> {
    await this.page.keyboard.press("Control+1");
    await this.page
      .locator(".editor-group-container.active .monaco-editor.focused")
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  }
}

// The functions below run inside the page, so each holds all that it needs. Which line something stands on is
// known from its height on the screen, since VS Code draws line numbers, text, lenses and decorations in
// layers of their own.

/**
 * Clicks the lens at some place unless VS Code has drawn others there meanwhile, and says whether it did. The
 * element itself is held: a locator would look again, and click whatever stands at its place by then.
 */
async function clickedLens(page: Page, index: number, text: string): Promise<boolean> {
  const lens = page.locator(".editor-group-container.active .codelens-decoration a").nth(index);
  const [element] = await lens.elementHandles();
  const shown = (await element?.textContent())?.replaceAll("\u00a0", " ").trim();
  if (element === undefined || shown !== text) return false;
  try {
    await element.click({ timeout: CLICK_MS });
    return true;
  } catch (error) {
    const isDrawnAnew = error instanceof errors.TimeoutError || !(await element.isVisible());
    if (isDrawnAnew) return false;
    throw error;
  }
}

function readLines(): ShownDecoration[] {
  const editor = document.querySelector(".editor-group-container.active .monaco-editor");
  const numbers = [...(editor?.querySelectorAll(".margin-view-overlays .line-numbers") ?? [])];
  const lineAt = new Map(
    numbers.map((number) => [Math.round(number.getBoundingClientRect().top), Number(number.textContent)]),
  );
  return [...(editor?.querySelectorAll(".view-lines .view-line") ?? [])]
    .map((shown) => ({
      line: lineAt.get(Math.round(shown.getBoundingClientRect().top)) ?? 0,
      text: (shown.textContent ?? "").replaceAll("\u00a0", " "),
    }))
    .filter(({ line }) => line > 0)
    .sort((a, b) => a.line - b.line);
}

function readLenses(): ShownLens[] {
  const editor = document.querySelector(".editor-group-container.active .monaco-editor");
  const numbers = [...(editor?.querySelectorAll(".margin-view-overlays .line-numbers") ?? [])]
    .map((number) => ({ line: Number(number.textContent), top: number.getBoundingClientRect().top }))
    .sort((a, b) => a.top - b.top);
  return [...(editor?.querySelectorAll(".codelens-decoration") ?? [])].flatMap((row) => {
    const middle = row.getBoundingClientRect().top + row.getBoundingClientRect().height / 2;
    const line = numbers.find(({ top }) => top >= middle)?.line ?? 0;
    const shown = [...row.children].map((part) => ({
      line,
      text: (part.textContent ?? "").replaceAll("\u00a0", " ").trim(),
      clickable: part.tagName === "A",
    }));
    return shown.filter(({ text }) => text !== "|" && text !== "");
  });
}

function readDecorations(): ShownDecoration[] {
  const editor = document.querySelector(".editor-group-container.active .monaco-editor");
  const numbers = [...(editor?.querySelectorAll(".margin-view-overlays .line-numbers") ?? [])];
  const lineAt = new Map(
    numbers.map((number) => [Math.round(number.getBoundingClientRect().top), Number(number.textContent)]),
  );
  return [...(editor?.querySelectorAll(".view-lines .view-line") ?? [])].flatMap((shown) => {
    const line = lineAt.get(Math.round(shown.getBoundingClientRect().top)) ?? 0;
    const added = [...shown.querySelectorAll("span span")].flatMap((part) => [
      getComputedStyle(part, "::before").content,
      getComputedStyle(part, "::after").content,
    ]);
    return added
      .filter((content) => content.startsWith('"'))
      .map((content) => ({
        line,
        text: content.slice(1, -1).replaceAll('\\"', '"').replaceAll("\u00a0", " "),
      }));
  });
}
