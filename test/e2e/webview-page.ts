/// <reference lib="dom" />
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Result } from "axe-core";
import type { Frame } from "playwright-core";
import { expect } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** Built-in themes under which every page is looked at, by what settings call them. */
export const themes = [
  { name: "Default Light Modern", kind: "vscode-light", workbench: "vs" },
  { name: "Default High Contrast Light", kind: "vscode-high-contrast-light", workbench: "hc-light" },
  { name: "Default High Contrast", kind: "vscode-high-contrast", workbench: "hc-black" },
  { name: "Default Dark Modern", kind: "vscode-dark", workbench: "vs-dark" },
];

/**
 * Gives the window a theme by the settings of its machine, which takes less than the list of all themes, and
 * waits until it has it.
 */
export async function useTheme({ host, page }: Workbench, theme: (typeof themes)[number]): Promise<void> {
  const file = join(host.data, "Machine", "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  writeFileSync(file, JSON.stringify({ ...settings, "workbench.colorTheme": theme.name }));
  await page.locator(`.monaco-workbench.${theme.workbench}`).first().waitFor({ timeout: PATIENCE_MS });
}

/**
 * The document of the page with this heading, once it is the one on the screen: the page of the tab before
 * may be there a moment longer, and pages of other tabs may be kept, hidden.
 */
export async function pageFrame(workbench: Workbench, heading: RegExp): Promise<Frame> {
  const frame = await eventually({
    what: `the page ${heading.source}`,
    read: () => visibleFrame(workbench, heading).catch(hasGone),
    accept: (found) => found !== undefined,
  });
  if (!frame) throw new Error("accepted above");
  return frame;
}

async function visibleFrame(workbench: Workbench, heading: RegExp): Promise<Frame | undefined> {
  const inner = workbench.page.frameLocator("iframe.webview.ready:visible").locator("iframe#active-frame");
  const [element] = await inner.elementHandles();
  const frame = (await element?.contentFrame()) ?? undefined;
  const headings = await frame?.getByRole("heading", { name: heading }).count();
  return headings === 1 ? frame : undefined;
}

/** A page that was replaced while it was looked at is not the one waited for; other faults are faults. */
function hasGone(error: unknown): undefined {
  if (
    error instanceof Error &&
    /detached|adopt element handle|context was destroyed|Cannot find context/.test(error.message)
  )
    return;
  throw error;
}

/**
 * Looks at a page in every theme: pictures named `name-THEME`, nothing that axe finds wrong, and nothing that
 * the page's content security policy would have had to hold back.
 */
export async function lookInEveryTheme(workbench: Workbench, frame: Frame, name: string): Promise<void> {
  for (const theme of themes) {
    await useTheme(workbench, theme);
    await frame.locator(`body[data-vscode-theme-kind="${theme.kind}"]`).waitFor();
    await workbench.screenshot(`${name}-${theme.kind}`);
    expect(await accessibilityFaults(frame)).toEqual([]);
  }
  await expectStrictPolicy(workbench, frame);
}

/**
 * The page's policy names one script and lets nothing stand in the page itself; the page never runs into it,
 * and what is put into the page all the same does not run.
 */
async function expectStrictPolicy({ browser }: Workbench, frame: Frame): Promise<void> {
  const meta = frame.locator('meta[http-equiv="Content-Security-Policy"]');
  const policy = (await meta.getAttribute("content")) ?? "";
  const [, nonce = "no nonce"] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
  const [styles = "no styles"] = /style-src [^;]+/.exec(policy) ?? [];
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|data:|blob:/);
  const heldBack = (): readonly string[] =>
    browser.console.filter((line) => line.includes(nonce) || line.includes(styles));
  expect(heldBack()).toEqual([]);
  expect(await frame.evaluate(runsWhatIsPutIn)).toBe(false);
  // A browser that said nothing of it would have said nothing before.
  await eventually({
    what: "what the browser says of it",
    read: () => Promise.resolve(heldBack()),
    accept: (lines) => lines.length > 0,
  });
}

/** In the page: whether a script in its text is run. */
function runsWhatIsPutIn(): boolean {
  const script = document.createElement("script");
  script.textContent = "document.body.dataset.ran = 'yes';";
  document.body.append(script);
  script.remove();
  return document.body.dataset["ran"] === "yes";
}

/** What axe finds wrong with a page: rule, and the elements at fault. */
async function accessibilityFaults(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const violations = await frame.evaluate<Result[]>("axe.run().then(({ violations }) => violations)");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
