import { mkdirSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { launchBrowser, type TestBrowser } from "./browser";
import { type EditorHost, type EditorHostOptions, startEditorHost } from "./editor-host";
import { eventually, matches, PATIENCE_MS } from "./eventually";
import { EditorPane } from "./workbench-editor";
import { TreeView } from "./workbench-tree";

/** Starts VS Code on a folder and opens its window in a browser. Close it in `finally` or `afterAll`. */
export async function openWorkbench(options: EditorHostOptions): Promise<Workbench> {
  const host = await startEditorHost(options);
  const browser = await launchBrowser().catch(async (error: unknown) => {
    await host.stop();
    throw error;
  });
  const workbench = new Workbench(host, browser);
  try {
    await browser.page.goto(host.url);
    await workbench.ready();
    return workbench;
  } catch (error) {
    await workbench.screenshot("failed-to-open");
    await workbench.close();
    throw error;
  }
}

/** The window of VS Code, as a user handles it: with the keyboard, the mouse and the eyes. */
export class Workbench {
  /** The editor that has the focus or had it last. */
  readonly editor: EditorPane;
  readonly page: Page;

  constructor(
    readonly host: EditorHost,
    readonly browser: TestBrowser,
  ) {
    this.page = browser.page;
    this.editor = new EditorPane(browser.page);
  }

  /** Waits until the parts of the window stand and the file tree has its first row. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.editor").waitFor({ timeout: PATIENCE_MS });
    await this.page.locator(".monaco-workbench .part.statusbar .statusbar-item").first().waitFor({ timeout: PATIENCE_MS });
  }

  /** Opens a file of the workspace by its path, and waits for its text. */
  async openFile(path: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    await this.answer(path);
    const name = path.split("/").at(-1) ?? path;
    await this.page.locator(".tabs-container .tab.active", { hasText: name }).waitFor({ timeout: PATIENCE_MS });
    await this.editor.waitForText();
  }

  /** Runs a command by its full title in the palette, as in "Kernelwright: Optimize Kernel". */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.quickInput().waitFor();
    await this.quickInput().locator("input.input").fill(`>${title}`);
    await this.pick(title);
  }

  /** Clicks the row of the open list whose label is the text given, or matches the pattern. */
  async pick(label: string | RegExp): Promise<void> {
    const rows = this.quickInput().locator(".monaco-list-row");
    const labels = async () => rows.locator(".label-name").first().isVisible().then(() => rows.evaluateAll((all) => all.map((row) => row.querySelector(".label-name")?.textContent ?? "")));
    const seen = await eventually({ what: `the choice ${label}`, read: labels, accept: (all) => all.some((text) => matches(text, label)) });
    await rows.nth(seen.findIndex((text) => matches(text, label))).click();
  }

  /** Types into the open input or list and presses Enter once the list, if there is one, has a focused row. */
  async answer(text: string): Promise<void> {
    await this.quickInput().waitFor();
    await this.quickInput().locator("input.input").fill(text);
    const list = this.quickInput().locator(".quick-input-list");
    if (await list.isVisible()) await list.locator(".monaco-list-row.focused", { hasText: text.split("/").at(-1) ?? text }).waitFor({ timeout: PATIENCE_MS });
    await this.page.keyboard.press("Enter");
  }

  /** Waits for a notification or a modal dialog with the text, and gives all of its text. */
  async notification(text: string | RegExp): Promise<string> {
    return ((await this.messageBox(text).textContent()) ?? "").trim();
  }

  /** Presses a button of a notification or a modal dialog. */
  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.messageBox(text).locator(".monaco-button", { hasText: button }).first().click();
  }

  /** Texts of the status bar, left to right. */
  async statusItems(): Promise<string[]> {
    const texts = await this.page.locator(".statusbar-item:visible").allInnerTexts();
    return texts.map((text) => text.replaceAll("\u00a0", " ").trim()).filter(Boolean);
  }

  /** Shows a container of the side bar by its title in the activity bar. */
  async showContainer(title: string): Promise<void> {
    const action = this.page.locator(".activitybar .action-item", { has: this.page.locator(`a.action-label[aria-label^="${title}"]`) });
    await action.first().waitFor({ timeout: PATIENCE_MS });
    if (!(await action.first().getAttribute("class"))?.includes("checked")) await action.first().click();
  }

  /** A tree view of the side bar or the panel by the title in its header. */
  tree(title: string): TreeView {
    return new TreeView(this.page, title);
  }

  /** Keeps what the window shows as out/screenshots/NAME.png, and gives that path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(inRepository("out", "screenshots"), { recursive: true });
    const path = inRepository("out", "screenshots", `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Closes the window and ends VS Code. */
  async close(): Promise<void> {
    await this.browser.close();
    await this.host.stop();
  }

  private quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  private messageBox(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast, .monaco-dialog-box", { hasText: text }).last();
  }
}
