import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { copySamples } from "../harness/editor-host";
import { pythonIn } from "../harness/python-places";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";

const RUN_LIMIT_MS = 240_000;

const QUESTION = /Run candidates that can read and change your files\?/;

describe("where candidates cannot be walled off", () => {
  const step = scenario(() => workbench);
  const samples = copySamples();
  const places = mkdtempSync(join(tmpdir(), "kernelwright-places-"));
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({
      workspace: samples.folder,
      settings: { "kernelwright.python": pythonIn("bare", places) },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("24-walls-end");
    await workbench.close();
    samples.remove();
    rmSync(places, { recursive: true, force: true });
  });

  /** Checks the kernel, and gives the text of the dialog that it is stopped by. */
  const askedOnCheck = async (): Promise<string> => {
    await workbench.editor.clickLens("Check");
    return workbench.notifications.waitFor(QUESTION, RUN_LIMIT_MS);
  };

  step("a dialog says what is missing and what is at stake; without a yes nothing runs", async () => {
    await workbench.openFile("vector_add.py");
    await workbench.editor.waitForLens("Check");
    const asked = await askedOnCheck();
    expect(asked).toMatch(/cannot be walled off there \(missing: .*read-only\)/);
    expect(asked).toMatch(/a candidate could read and change your files/);
    await workbench.screenshot("24-no-walls");
    await workbench.notifications.press(QUESTION, "Cancel");
    expect((await workbench.notifications.all()).join()).not.toMatch(/correct/);
  });

  step("a yes by name runs the kernel, and is kept for this machine", async () => {
    await askedOnCheck();
    await workbench.notifications.press(QUESTION, "Run Without Walls on This Machine");
    await workbench.notifications.waitFor(/vector_add_kernel.*: correct/, RUN_LIMIT_MS);
    expect(readFileSync(join(workbench.host.data, "Machine", "settings.json"), "utf8")).toMatch(
      /"kernelwright.allowUnwalledCandidates": true/,
    );
  });
});
