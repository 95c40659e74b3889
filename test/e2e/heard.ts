import type { CDPSession } from "playwright-core";
import { expect } from "vitest";
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

/** What our rows, lenses and items of the status bar are called, by what they are. */
const spoken: readonly { readonly role: string; readonly words: RegExp }[] = [
  { role: "tree", words: /^Run$/ },
  { role: "tree", words: /^Kernels$/ },
  { role: "tree", words: /^Sessions$/ },
  { role: "treeitem", words: /^Session of transpose in transpose\.cu: .*improved/ },
  { role: "treeitem", words: /^Candidate 1: .*Pad the rows of tile/ },
  { role: "treeitem", words: /^transpose: .*transpose\.cu:\d+/ },
  { role: "button", words: /^Optimize$/ },
  { role: "button", words: /^Check$/ },
  { role: "button", words: /A100 40GB SXM \(sm_80\), modelled/ },
];

/**
 * What a screen reader is told of the window with a run that has ended: each of our rows, lenses and items
 * has its role and a name in words, and the page of a trajectory says by itself what is new.
 */
export async function hearWindow(workbench: Workbench, file: string): Promise<void> {
  const { editor, page } = workbench;
  await workbench.openFile(file);
  await editor.goToLine(1);
  await editor.waitForLens("Optimize");
  const session = await page.context().newCDPSession(page);
  const heard = await heardOf(session);
  await session.detach();
  const missing = spoken.filter(
    ({ role, words }) => !heard.some((each) => each.role === role && words.test(each.name)),
  );
  const [ours, lenses] = [heard.filter(({ role }) => role === "treeitem"), await editor.lenses()];
  expect({ missing, rows: ours.filter(({ name }) => name === "" || isUnspeakable.test(name)) }).toEqual({
    missing: [],
    rows: [],
  });
  const buttons = new Set(heard.filter(({ role }) => role === "button").map(({ name }) => name));
  expect(lenses.filter(({ clickable, text }) => clickable && !buttons.has(text))).toEqual([]);
  await workbench.tree("Sessions").click("transpose");
  const frame = await pageFrame(workbench, /^transpose$/);
  expect(await frame.getByRole("status").count()).toBeGreaterThan(0);
  expect(await frame.getByRole("listbox").getAttribute("aria-label")).not.toBeNull();
  const options = await frame.getByRole("option").allInnerTexts();
  expect(options.filter((text) => text.trim() === "" || isUnspeakable.test(text))).toEqual([]);
}
