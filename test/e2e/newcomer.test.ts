import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../harness/eventually";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { findingFiles, keepAGuess, openHeader } from "./first-findings";
import { filesBelow, ownKernels, twoKernels } from "./own-kernels";
import { stopAndReview, waitForStatus } from "./review-changes";

/** How long one run of the agent may take on a machine that does other things, in milliseconds. */
const RUN_LIMIT_MS = 240_000;

/** A folder of somebody's own kernels: no setting was made, and nothing but the sources is there. */
describe("a newcomer with kernels of their own", () => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-own-"));
  const data = mkdtempSync(join(tmpdir(), "kernelwright-data-"));
  let workbench: Workbench;

  beforeAll(async () => {
    const found = Object.entries(findingFiles).map(([file, text]) => ({ file, text }));
    for (const { file, text } of [...ownKernels, twoKernels, ...found]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    workbench = await openWorkbench({ workspace: folder, environment: { XDG_DATA_HOME: data } });
  });
  afterAll(async () => {
    await workbench.screenshot("40-end-of-newcomer");
    await workbench.close();
    for (const each of [folder, data]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each(ownKernels)(
    "$what: optimizes it, accepts, saves and checks",
    async ({ file, kernel, picture, stopsEarly }) => {
      const before = filesBelow(folder);
      const original = readFileSync(join(folder, file), "utf8");
      await workbench.openFile(file);
      await workbench.editor.clickLens("Optimize");
      await waitForStatus(workbench, new RegExp(`^Finding out how ${kernel} is run$`));
      await workbench.screenshot(`${picture}-begun`);
      if (stopsEarly) await stopAndReview(workbench, RUN_LIMIT_MS);
      await workbench.editor.waitForLens(/^Accept/, RUN_LIMIT_MS);
      await workbench.editor.waitForLens(/^\d+ registers · /);
      await workbench.screenshot(`${picture}-proposal`);
      await workbench.runCommand("Kernelwright: Accept All Changes");
      await eventually({
        what: "the accepted change",
        read: () => workbench.editor.text(),
        accept: (text) => text !== original,
      });
      await workbench.editor.press("Control+S");
      await eventually({
        what: "the file saved",
        read: () => Promise.resolve(readFileSync(join(folder, file), "utf8")),
        accept: (text) => text !== original,
      });
      await workbench.editor.goToLine(1);
      await workbench.editor.clickLens("Check");
      await workbench.notifications.waitFor(new RegExp(`${kernel}: correct on \\d+ cases`), RUN_LIMIT_MS);
      await workbench.screenshot(`${picture}-checked`);
      await workbench.runCommand("Notifications: Clear All Notifications");
      await workbench.showContainer("Kernelwright");
      await eventually({
        what: "the session's figure beside the check, which was made at the same sizes",
        read: () => workbench.tree("Kernels").waitForRow(kernel),
        accept: ({ description }) => /correct · best .*−\d+%/.test(description),
      });
      expect(filesBelow(folder)).toEqual(before);
    },
  );

  it("shows proposals for two kernels of a file beside each other, indented as the file is", async () => {
    const lineOf = (kernel: string): number =>
      twoKernels.text.split("\n").findIndex((line) => line.includes(`void ${kernel}(`)) + 1;
    await workbench.openFile(twoKernels.file);
    for (const [index, kernel] of twoKernels.kernels.entries()) {
      await workbench.editor.clickLens("Optimize", lineOf(kernel));
      await eventually({
        what: `a proposal for ${kernel}, beside those before it`,
        read: () => workbench.editor.lenses(),
        accept: (lenses) => lenses.filter(({ text }) => text === "Accept change 1").length === index + 1,
        limit: RUN_LIMIT_MS,
      });
    }
    const [first, last] = [lineOf(twoKernels.kernels[0]), lineOf(twoKernels.kernels[1])];
    await workbench.editor.goToLine(last + 2);
    await waitForStatus(workbench, /^1 change open/);
    await workbench.screenshot("43-two-proposals");
    await workbench.editor.press("Control+K");
    await workbench.page.keyboard.press("Control+Y");
    const accepted = await eventually({
      what: "the change at the cursor, and no other",
      read: () => workbench.editor.text(),
      accept: (text) => text !== twoKernels.text,
    });
    const lines = accepted.split("\n");
    const swapped = "    int row = blockIdx.x * blockDim.x + threadIdx.y;";
    expect([lines[first + 1], lines[last + 1]]).toEqual([swapped.replace(/y;$/, "x;"), swapped]);
    await workbench.editor.goToLine(1);
    await workbench.editor.waitForLens("Accept change 1");
    await workbench.runCommand("File: Revert File");
  });

  it("names a guess instead of a fault of the kernel, and shows the fault once the guess is kept", () =>
    keepAGuess(workbench));

  it("shows the facts of each instance of a template in its header, and no error", () =>
    openHeader(workbench));
});
