/// <reference lib="dom" />
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { findProgram } from "../../server/setup/support/find-program.mjs";

/** Chromium of our own for a test: a fresh profile each time, and no traffic of its own. */
export interface TestBrowser {
  readonly page: Page;
  /** What the page and the console of the browser said, oldest first; for failure messages. */
  readonly console: readonly string[];
  close(): Promise<void>;
}

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Size of the window in CSS pixels: wide enough for two editors side by side and a tree. */
const VIEWPORT = { width: 1440, height: 900 };

/** Path of the browser that shows VS Code. */
function findBrowser(): string {
  const path = findProgram("chromium", "chromium-browser", "google-chrome");
  if (!path) throw new Error("No Chromium on this machine; get it with: sudo apt-get install chromium");
  return path;
}

/** Starts a browser with one empty page. */
export async function launchBrowser(): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "kernelwright-browser-"));
  // Chromium refuses to sandbox itself for root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    headless: true,
    args: [...FLAGS, ...sandbox],
    viewport: VIEWPORT,
    // What moves on the screen is drawn by the processor that the tests need.
    reducedMotion: "reduce",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await context.addInitScript(holdStill);
  const lines: string[] = [];
  page.on("console", (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => lines.push(`page error: ${error.message}`));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return {
    page,
    console: lines,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 30 });
    },
  };
}

/** In the page: nothing turns, blinks or slides, which would be drawn anew many times a second. */
function holdStill(): void {
  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important; }");
  document.addEventListener("DOMContentLoaded", () => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  });
}
