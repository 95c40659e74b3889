import type { Locator, Page } from "playwright-core";
import { eventually, matches, PATIENCE_MS } from "./eventually";

/** A row of a tree view. */
export interface ShownRow {
  /** Depth, from 1. */
  readonly level: number;
  readonly label: string;
  /** The dim text after the label. */
  readonly description: string;
  /** Undefined for a row with nothing below it. */
  readonly expanded: boolean | undefined;
}

/** A tree view by the title in its header. */
export class TreeView {
  constructor(
    private readonly page: Page,
    private readonly title: string,
  ) {}

  /** Rows in view, top to bottom. */
  async rows(): Promise<ShownRow[]> {
    return this.rowLocator().evaluateAll((rows) =>
      rows
        .map((row) => ({ top: row.getBoundingClientRect().top, row }))
        .sort((a, b) => a.top - b.top)
        .map(({ row }) => ({
          level: Number(row.getAttribute("aria-level")),
          label: row.querySelector(".label-name")?.textContent ?? "",
          description: row.querySelector(".label-description")?.textContent ?? "",
          expanded: row.hasAttribute("aria-expanded")
            ? row.getAttribute("aria-expanded") === "true"
            : undefined,
        })),
    );
  }

  /** Waits for a row by its label. */
  async waitForRow(label: string | RegExp, limit?: number): Promise<ShownRow> {
    const rows = await eventually({
      what: `the row ${label} of ${this.title}`,
      read: () => this.rows(),
      accept: (all) => all.some((row) => matches(row.label, label)),
      limit,
    });
    return rows.find((row) => matches(row.label, label)) as ShownRow;
  }

  /** Opens a row that is closed. */
  async expand(label: string | RegExp): Promise<void> {
    const row = await this.waitForRow(label);
    if (row.expanded === false) await (await this.locate(label)).locator(".monaco-tl-twistie").click();
    await eventually({
      what: `the row ${label} opened`,
      read: () => this.waitForRow(label),
      accept: ({ expanded }) => expanded === true,
    });
  }

  /** Clicks a row. */
  async click(label: string | RegExp): Promise<void> {
    // Into the row, not onto its label: that would scroll the middle of a long one into view.
    await (await this.locate(label)).click({ position: { x: 90, y: 11 } });
  }

  /** Clicks the row with this in the dim text after its label. */
  async clickBeside(description: string): Promise<void> {
    await this.rowLocator()
      .filter({ has: this.page.locator(".label-description", { hasText: description }) })
      .click({ position: { x: 90, y: 11 } });
  }

  /** Presses an inline button of a row by its title. */
  async press(label: string | RegExp, button: string): Promise<void> {
    const row = await this.locate(label);
    await row.hover();
    await row.locator(`.actions a.action-label[aria-label^="${button}"]`).click();
  }

  /** The text that stands in an empty view. */
  async welcome(): Promise<string> {
    const content = this.pane().locator(".welcome-view-content");
    await content.first().waitFor({ timeout: PATIENCE_MS });
    return (await content.first().innerText()).trim();
  }

  private pane(): Locator {
    return this.page.locator(".pane", {
      has: this.page.locator(`.pane-header h3.title[custom-hover], .pane-header h3.title`, {
        hasText: this.title,
      }),
    });
  }

  private rowLocator(): Locator {
    return this.pane().locator(".monaco-list-row");
  }

  private async locate(label: string | RegExp): Promise<Locator> {
    await this.waitForRow(label);
    const labels = await this.rowLocator().evaluateAll((rows) =>
      rows.map((row) => row.querySelector(".label-name")?.textContent ?? ""),
    );
    return this.rowLocator().nth(labels.findIndex((text) => matches(text, label)));
  }
}
