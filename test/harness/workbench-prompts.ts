import type { Locator, Page } from "playwright-core";
import { eventually, matches, PATIENCE_MS } from "./eventually";

/** How many looks in a row must show the same choices before one is clicked. */
const STILL_LOOKS = 3;

/** After so many more, a command or file that is listed but not first is clicked instead of confirmed. */
const FIRST_LOOKS = 10;

/** How often a key is pressed that shall open it, and how long each press has for it in milliseconds. */
const PRESSES = 9;
const PRESS_MS = PATIENCE_MS / PRESSES;

/** In CSS pixels: low in the editor, where short files have no text, and left of notifications. */
const restingPlace = { x: 700, y: 800 } as const;

/**
 * The list or input at the top of the window: command palette, file search, and what extensions ask by it.
 */
export class QuickInput {
  constructor(private readonly page: Page) {}

  /**
   * Opens it by a key. A key that meets a page which is just being closed goes nowhere, and is pressed again.
   *
   * @throws {Error} where no press opened it
   */
  async openBy(key: string): Promise<void> {
    for (let press = 1; press <= PRESSES; press += 1) {
      await this.page.keyboard.press(key);
      const opened = await this.widget()
        .waitFor({ timeout: PRESS_MS })
        .then(() => true)
        .catch(() => false);
      if (opened) return;
    }
    throw new Error(`${key} opened no list at the top of the window, pressed ${PRESSES} times`);
  }

  /** Waits until it is open and puts text into it, in place of what stood there. */
  async fill(text: string): Promise<void> {
    await this.widget().waitFor({ timeout: PATIENCE_MS });
    await this.widget().locator("input.input").fill(text);
  }

  /** Labels of the rows in view; none when only an input is shown. */
  async choices(): Promise<string[]> {
    return this.rows().evaluateAll((rows) =>
      rows.map((row) => row.querySelector(".label-name")?.textContent ?? ""),
    );
  }

  /**
   * Confirms the row with the label, which what was filled in has brought to the front, with the keyboard;
   * where others stay before it, it is clicked.
   */
  async confirm(label: string): Promise<void> {
    let looks = 0;
    const inFront = this.widget().locator(".quick-input-list .monaco-list-row.focused .label-name");
    const [front] = await eventually({
      what: `${label} in front`,
      read: () => inFront.allTextContents(),
      accept: ([first]) => {
        looks += 1;
        return first === label || looks > FIRST_LOOKS;
      },
    });
    if (front === label) await this.page.keyboard.press("Enter");
    else await this.pick(label);
  }

  /** Clicks the row with the label. */
  async pick(label: string | RegExp): Promise<void> {
    // Rows are drawn anew while results come in, and a row clicked then may be another one: the list must
    // stand still first.
    let before = "";
    let still = 0;
    const stands = (all: readonly string[]): boolean => {
      still = all.join("\n") === before ? still + 1 : 0;
      before = all.join("\n");
      return still >= STILL_LOOKS && all.some((text) => matches(text, label));
    };
    await eventually({ what: `the choice ${label}`, read: () => this.choices(), accept: stands });
    const name = this.page.locator(".label-name", { hasText: exactly(label) });
    await this.rows().filter({ has: name }).first().click();
    // Where the list was, the title bar would show a tooltip over what is looked at next.
    await this.page.mouse.move(restingPlace.x, restingPlace.y);
  }

  /**
   * Types into an input and confirms it. `title`: of the input that is meant, where another one may still be
   * open.
   */
  async answer(text: string, title?: string): Promise<void> {
    if (title !== undefined)
      await this.widget().locator(".quick-input-title", { hasText: title }).waitFor({ timeout: PATIENCE_MS });
    await this.fill(text);
    await this.page.keyboard.press("Enter");
  }

  private widget(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  private rows(): Locator {
    return this.widget().locator(".quick-input-list .monaco-list-row");
  }
}

/** A pattern that a text must match as a whole. */
function exactly(label: string | RegExp): RegExp {
  if (typeof label !== "string") return label;
  return new RegExp(`^\\s*${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\s*$`);
}

/** Notifications at the lower right and dialogs in the middle of the window. */
export class Notifications {
  constructor(private readonly page: Page) {}

  /** Texts of all that are shown. */
  async all(): Promise<string[]> {
    return (await this.boxes().allInnerTexts()).map((text) => text.trim());
  }

  /** Waits for one and gives all of its text. */
  async waitFor(text: string | RegExp, limit = PATIENCE_MS): Promise<string> {
    return (await this.box(text).innerText({ timeout: limit })).trim();
  }

  /** Presses a button of one, by the button's text. */
  async press(text: string | RegExp, button: string): Promise<void> {
    await this.box(text).locator(".monaco-button", { hasText: button }).first().click();
  }

  private boxes(): Locator {
    return this.page.locator(".notification-toast, .monaco-dialog-box");
  }

  private box(text: string | RegExp): Locator {
    return this.boxes().filter({ hasText: text }).last();
  }
}
