import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { launchBrowser, type TestBrowser } from "./browser";
import { type EditorHost, type EditorHostOptions, startEditorHost } from "./editor-host";
import { PATIENCE_MS } from "./eventually";
import { EditorPane } from "./workbench-editor";
import { Notifications, QuickInput } from "./workbench-prompts";
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
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly page: Page;

  constructor(
    readonly host: EditorHost,
    readonly browser: TestBrowser,
  ) {
    this.page = browser.page;
    this.editor = new EditorPane(browser.page);
    this.quickInput = new QuickInput(browser.page);
    this.notifications = new Notifications(browser.page);
  }

  /** Waits until the parts of the window stand. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.editor").waitFor({ timeout: PATIENCE_MS });
    await this.page
      .locator(".monaco-workbench .part.statusbar .statusbar-item")
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  }

  /** Opens a file of the workspace by its path, and waits for its text. */
  async openFile(path: string): Promise<void> {
    const name = path.split("/").at(-1) ?? path;
    await this.quickInput.choose({ key: "Control+P", text: path, label: name });
    await this.page
      .locator(`.tabs-container .tab.active[data-resource-name="${name}"]`)
      .waitFor({ timeout: PATIENCE_MS });
    await this.editor.waitForText();
  }

  /** Runs a command by its full title in the palette, as in "Kernelwright: Optimize Kernel". */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.choose({ key: "F1", text: `>${title}`, label: title });
  }

  /** Titles of the tabs, left to right; one that is not saved ends in " •". */
  async tabs(): Promise<string[]> {
    return this.page
      .locator(".tabs-container .tab")
      .evaluateAll((tabs) =>
        tabs.map(
          (tab) =>
            (tab.querySelector(".label-name")?.textContent ?? "") +
            (tab.classList.contains("dirty") ? " •" : ""),
        ),
      );
  }

  /** Texts of the status bar, left to right. */
  async statusItems(): Promise<string[]> {
    const texts = await this.page.locator(".statusbar-item:visible").allInnerTexts();
    return texts.map((text) => text.replaceAll("\u00a0", " ").trim()).filter(Boolean);
  }

  /** Shows a container of the side bar by its title in the activity bar. */
  async showContainer(title: string): Promise<void> {
    const action = this.page.locator(".activitybar .action-item", {
      has: this.page.locator(`a.action-label[aria-label^="${title}"]`),
    });
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
    await this.page.screenshot({ path, animations: "disabled" });
    return path;
  }

  /** The same of the editors alone, down to some height in pixels: for pages that say what one sees there. */
  async editorScreenshot(name: string, height = Infinity): Promise<void> {
    mkdirSync(inRepository("out", "screenshots"), { recursive: true });
    const path = inRepository("out", "screenshots", `${name}.png`);
    const clip = await this.page.locator(".monaco-workbench .part.editor").boundingBox();
    if (clip === null) throw new Error("the window shows no editors");
    const shown = { ...clip, height: Math.min(clip.height, height) };
    await this.page.screenshot({ path, animations: "disabled", clip: shown });
  }

  /** Loads the window anew, as after a crash of the browser; VS Code and its settings stay. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Closes the window and ends VS Code. */
  async close(): Promise<void> {
    await this.browser.close();
    await this.host.stop();
  }
}
