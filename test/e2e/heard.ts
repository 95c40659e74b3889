import type { CDPSession } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { pageFrame } from "./webview-page";

/** Something as a screen reader is told of it. */
interface Heard {
  readonly role: string;
  readonly name: string;
}

interface AccessibleNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
}

/** All that Chromium tells a screen reader of the window. */
async function heardOf(session: CDPSession): Promise<readonly Heard[]> {
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return (nodes as readonly AccessibleNode[])
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({
      role: String(role?.value ?? ""),
      name: String(name?.value ?? "").replaceAll("\u00a0", " "),
    }));
}

/** Icons of the editor's font, marks of icons, and bars that are drawn with letters. */
const isUnspeakable = /[\ue000-\uf8ff\u2580-\u259f\u25a0-\u25ff]|\$\(/;

/** What our views, rows and items of the status bar are called, by what they are. */
const spoken: readonly { readonly role: string; readonly words: RegExp }[] = [
  { role: "tree", words: /^Run$/ },
  { role: "tree", words: /^Kernels$/ },
  { role: "tree", words: /^Sessions$/ },
  { role: "treeitem", words: /^Session of transpose in transpose\.cu: .*improved/ },
  { role: "treeitem", words: /^Candidate .*simulated.* · Pad the rows of tile/ },
  { role: "treeitem", words: /^transpose: .*transpose\.cu:\d+/ },
  { role: "button", words: /^Kernelwright target A100 40GB SXM \(sm_80\), modelled/ },
  { role: "button", words: /^Optimize Kernel$/ },
];

/** Lenses are no part of what is read of a text: VS Code lists those of the cursor's line by a command. */
const lensList = "Show CodeLens Commands";
const listMilliseconds = 4000;

/**
 * Opens the list of the line's lenses and gives its options: none where VS Code draws lenses anew at that
 * moment, since it opens no list then.
 */
async function listedLenses(workbench: Workbench, session: CDPSession): Promise<readonly Heard[]> {
  const { page, quickInput } = workbench;
  await page.keyboard.press("F1");
  await quickInput.fill(`>${lensList}`);
  await quickInput.pick(new RegExp(`^${lensList}`, "i"));
  const row = page.locator(".quick-input-widget:visible .monaco-list-row").first();
  await row.waitFor({ timeout: listMilliseconds }).catch(() => undefined);
  return (await heardOf(session)).filter(({ role }) => role === "option");
}

/**
 * What a screen reader is told of the window with a run that has ended: each of our rows, lenses and items
 * has its role and a name in words, and the page of a trajectory says by itself what is new.
 */
export async function hearWindow(workbench: Workbench, file: string, line: number): Promise<void> {
  const { editor, page } = workbench;
  await workbench.openFile(file);
  await editor.goToLine(line);
  await editor.waitForLens("Optimize");
  const session = await page.context().newCDPSession(page);
  const heard = await heardOf(session);
  expect({
    missing: spoken.filter(
      ({ role, words }) => !heard.some((each) => each.role === role && words.test(each.name)),
    ),
    rows: heard.filter(({ role, name }) => role === "treeitem" && (name === "" || isUnspeakable.test(name))),
  }).toEqual({ missing: [], rows: [] });
  const lenses = await eventually({
    what: "the lenses of the line, as they are told",
    read: () => listedLenses(workbench, session),
    accept: (options) => options.some(({ name }) => name === "Optimize"),
  });
  await workbench.screenshot("16-lenses-listed");
  await page.keyboard.press("Escape");
  await session.detach();
  expect(lenses.map(({ name }) => name).filter((name) => isUnspeakable.test(name))).toEqual([]);
  expect(lenses.map(({ name }) => name)).toEqual(expect.arrayContaining(["Check", "Profile"]));
  await workbench.tree("Sessions").click("transpose");
  const frame = await pageFrame(workbench, /^transpose$/);
  expect(await frame.getByRole("status").count()).toBeGreaterThan(0);
  expect(await frame.getByRole("listbox").getAttribute("aria-label")).not.toBeNull();
  const options = await frame.getByRole("option").allInnerTexts();
  expect(options.filter((text) => text.trim() === "" || isUnspeakable.test(text))).toEqual([]);
}
