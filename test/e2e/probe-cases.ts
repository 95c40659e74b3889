import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../server/setup/steps/bundle.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** The extension that shows one of each thing, to be installed beside the one under test. */
export const probeExtension = inRepository("out", "probe");

/** Builds the extension, and puts the file that it adorns into a workspace. */
export async function addProbe(workspace: string): Promise<void> {
  await bundle({
    source: "test/harness/probe/extension.ts",
    output: "out/probe/extension.js",
    external: ["vscode"],
  });
  cpSync(inRepository("test", "harness", "probe", "package.json"), join(probeExtension, "package.json"));
  // Without a kernel, since over one of those our own lenses stand as well.
  const text = readFileSync(join(workspace, "transpose.cu"), "utf8");
  writeFileSync(join(workspace, "probe.cpp"), text.replaceAll("__global__", "static"));
}

/** The helpers see and do what they say, by an extension that shows one of each thing. */
export function describeHelpers(window: () => Workbench): void {
  describe("helpers of the browser suite", () => {
    beforeAll(() => window().openFile("probe.cpp"));
    afterAll(async () => {
      await window().screenshot("00-probe");
      await window().runCommand("View: Close All Editors");
    });

    insideTheEditor(window);
    aroundTheEditor(window);
  });
}

function insideTheEditor(window: () => Workbench): void {
  it("lenses are read with their lines and clicked; decorations are read", async () => {
    await window().editor.waitForLens("Mark");
    expect((await window().editor.lenses()).map(({ line, clickable }) => [line, clickable])).toEqual([
      [1, true],
      [1, false],
    ]);
    await window().editor.clickLens("Mark", 1);
    expect(await window().editor.waitForDecoration(/sectors/)).toEqual({
      line: 1,
      text: "32 sectors, ideal 4",
    });
  });

  it("text is read, changed and undone", async () => {
    const before = await window().editor.text();
    await window().editor.goToLine(2);
    await window().editor.press("Control+Shift+K");
    expect(await window().editor.text()).toBe(before.split("\n").toSpliced(1, 1).join("\n"));
    await eventually({
      what: "the mark of a changed file",
      read: () => window().tabs(),
      accept: (tabs) => tabs.join() === "probe.cpp •",
    });
    await window().editor.press("Control+Z");
    expect(await window().editor.text()).toBe(before);
    await eventually({
      what: "the first line",
      read: () => window().editor.lines(),
      accept: (lines) => lines.get(1) === before.split("\n")[0],
    });
  });

  it("a hover is read", async () => {
    expect(await window().editor.hover("static", /registers/)).toContain("probe hover: 37 registers");
  });
}

function aroundTheEditor(window: () => Workbench): void {
  it("a command runs from the palette, lists and notifications are answered, the status bar is read", async () => {
    await window().runCommand("Probe: Greet");
    await window().quickInput.pick("Grace");
    expect(await window().notifications.waitFor(/Greet Grace/)).toContain("Greet Grace?");
    await window().notifications.press(/Greet Grace/, "Yes");
    await eventually({
      what: "the status",
      read: () => window().statusItems(),
      accept: (items) => items.includes("probe: Grace Yes"),
    });
  });

  it("a tree is read, opened and its buttons pressed", async () => {
    await window().showContainer("Probe");
    const tree = window().tree("Things");
    await tree.expand("alpha");
    await tree.waitForRow("alpha/two");
    expect((await tree.rows()).map(({ level, label, description }) => [level, label, description])).toEqual([
      [1, "alpha", "branch"],
      [2, "alpha/one", "leaf"],
      [2, "alpha/two", "leaf"],
      [1, "beta", "branch"],
    ]);
    await tree.press("alpha", "Remove");
    await eventually({
      what: "only beta",
      read: () => tree.rows(),
      accept: (rows) => rows.map(({ label }) => label).join() === "beta",
    });
  });
}
