import { errors, type Locator, type Page } from "playwright-core";
import { eventually, matches, NotSeenError, PATIENCE_MS } from "./eventually";

/** How many looks in a row must show the same choices before one is clicked. */
const STILL_LOOKS = 3;

/** After so many more, a command or file that is listed but not first is clicked instead of confirmed. */
const FIRST_LOOKS = 10;

/** How often a choice is begun anew, and how long each step of an attempt has in milliseconds. */
const ATTEMPTS = 9;
const ATTEMPT_MS = PATIENCE_MS / ATTEMPTS;

/** In CSS pixels: low in the editor, where short files have no text, and left of notifications. */
const restingPlace = { x: 700, y: 800 } as const;

/** What is chosen from a list that a key opens. */
interface Choice {
  /** Opens the list, as in "F1" or, one after the other, in "Control+K Control+T". */
  readonly key: string;
  readonly text: string;
  readonly label: string;
}

/**
 * The list or input at the top of the window: command palette, file search, and what extensions ask by it.
 */
export class QuickInput {
  constructor(private readonly page: Page) {}

  /**
   * Opens it by a key, types into it and confirms the row with the label. A page that is just being opened or
   * closed takes the focus: a key that meets it goes nowhere, and a list that had opened closes again. A list
   * that opened too early lacks the commands of an extension that was just starting. All of it is done once
   * more then.
   *
   * @throws {Error} where no attempt came to its end
   */
  async choose({ key, text, label }: Choice): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      for (const each of key.split(" ")) await this.page.keyboard.press(each);
      const done = await this.typed(text)
        .then(() => this.confirmed({ text, label }))
        .catch(cameToNothing);
      if (done) return;
      if (await this.widget().isVisible()) await this.page.keyboard.press("Escape");
    }
    throw new Error(`${label} was not chosen in ${ATTEMPTS} attempts, each begun with ${key}`);
  }

  /** Waits until it is open and puts text into it, in place of what stood there. */
  async fill(text: string): Promise<void> {
    await this.widget().waitFor({ timeout: PATIENCE_MS });
    await this.input().fill(text);
  }

  /** Labels of the rows in view; none when only an input is shown. */
  async choices(): Promise<string[]> {
    return this.rows().evaluateAll((rows) =>
      rows.map((row) => row.querySelector(".label-name")?.textContent ?? ""),
    );
  }

  /** Clicks the row with the label, once it is listed. */
  async pick(label: string | RegExp, limit: number = PATIENCE_MS): Promise<void> {
    // Rows are drawn anew while results come in, and a row clicked then may be another one: the list must
    // stand still first.
    let before = "";
    let still = 0;
    const stands = (all: readonly string[]): boolean => {
      still = all.join("\n") === before ? still + 1 : 0;
      before = all.join("\n");
      return still >= STILL_LOOKS && all.some((text) => matches(text, label));
    };
    await eventually({ what: `the choice ${label}`, read: () => this.choices(), accept: stands, limit });
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

  private async typed(text: string): Promise<void> {
    await this.widget().waitFor({ timeout: ATTEMPT_MS });
    await this.input().fill(text, { timeout: ATTEMPT_MS });
  }

  /**
   * Confirms with the keyboard the row that the text has brought to the front; where others stay before it,
   * it is clicked. False where the list closed, or another one took its place.
   */
  private async confirmed({ text, label }: Omit<Choice, "key">): Promise<boolean> {
    let looks = 0;
    const inFront = this.widget().locator(".quick-input-list .monaco-list-row.focused .label-name");
    const seen = await eventually({
      what: `${label} in front`,
      read: async () => ({
        stands:
          (await this.widget().isVisible()) &&
          (await this.input().inputValue({ timeout: ATTEMPT_MS })) === text,
        front: (await inFront.allTextContents())[0],
      }),
      accept: ({ stands, front }) => {
        looks += 1;
        return !stands || front === label || looks > FIRST_LOOKS;
      },
    });
    if (!seen.stands) return false;
    if (seen.front === label) await this.input().press("Enter", { timeout: ATTEMPT_MS });
    else await this.pick(label, ATTEMPT_MS);
    return true;
  }

  private input(): Locator {
    return this.widget().locator("input.input");
  }

  private widget(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  private rows(): Locator {
    return this.widget().locator(".quick-input-list .monaco-list-row");
  }
}

/** A list that closed while it was typed into; what else goes wrong is a failure. */
function cameToNothing(error: unknown): false {
  if (error instanceof errors.TimeoutError || error instanceof NotSeenError) return false;
  throw error;
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
