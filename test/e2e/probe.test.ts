import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../server/setup/steps/bundle.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { copySamples } from "../harness/editor-host";
import { eventually } from "../harness/eventually";
import { openWorkbench, type Workbench } from "../harness/workbench";

/** The helpers see and do what they say, by an extension that shows one of each thing. */
describe("helpers of the browser suite", () => {
  const samples = copySamples();
  let workbench: Workbench;

  beforeAll(async () => {
    await bundle({
      source: "test/harness/probe/extension.ts",
      output: "out/probe/extension.js",
      external: ["vscode"],
    });
    cpSync(
      inRepository("test", "harness", "probe", "package.json"),
      inRepository("out", "probe", "package.json"),
    );
    workbench = await openWorkbench({
      workspace: samples.folder,
      extensionPath: inRepository("out", "probe"),
    });
    await workbench.openFile("transpose.cu");
  });
  afterAll(async () => {
    await workbench.screenshot("00-probe");
    await workbench.close();
    samples.remove();
  });

  it("lenses are read with their lines and clicked; decorations are read", async () => {
    await workbench.editor.waitForLens("Mark");
    expect((await workbench.editor.lenses()).map(({ line, clickable }) => [line, clickable])).toEqual([
      [1, true],
      [1, false],
    ]);
    await workbench.editor.clickLens("Mark", 1);
    expect(await workbench.editor.waitForDecoration(/sectors/)).toEqual({
      line: 1,
      text: "32 sectors, ideal 4",
    });
  });

  it("text is read, changed and undone", async () => {
    const before = await workbench.editor.text();
    await workbench.editor.goToLine(2);
    await workbench.editor.press("Control+Shift+K");
    expect(await workbench.editor.text()).toBe(before.split("\n").toSpliced(1, 1).join("\n"));
    await eventually({
      what: "the mark of a changed file",
      read: () => workbench.tabs(),
      accept: (tabs) => tabs.join() === "transpose.cu •",
    });
    await workbench.editor.press("Control+Z");
    expect(await workbench.editor.text()).toBe(before);
    await eventually({
      what: "the first line",
      read: () => workbench.editor.lines(),
      accept: (lines) => lines.get(1) === before.split("\n")[0],
    });
  });

  it("a hover is read", async () => {
    expect(await workbench.editor.hover("__global__", /registers/)).toContain("probe hover: 37 registers");
  });

  it("a command runs from the palette, lists and notifications are answered, the status bar is read", async () => {
    await workbench.runCommand("Probe: Greet");
    await workbench.quickInput.pick("Grace");
    expect(await workbench.notifications.waitFor(/Greet Grace/)).toContain("Greet Grace?");
    await workbench.notifications.press(/Greet Grace/, "Yes");
    await eventually({
      what: "the status",
      read: () => workbench.statusItems(),
      accept: (items) => items.includes("probe: Grace Yes"),
    });
  });

  it("a tree is read, opened and its buttons pressed", async () => {
    await workbench.showContainer("Probe");
    const tree = workbench.tree("Things");
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
});
