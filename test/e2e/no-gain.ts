import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** How long a run that finds nothing may take on a machine that does other things, in milliseconds. */
const RUN_LIMIT_MS = 240_000;

/** Adds a copy of the sample whose waste is gone already, under another name. */
export function addPadded(folder: string): void {
  for (const ending of ["", ".kernel.json"]) {
    const text = readFileSync(join(folder, `transpose.cu${ending}`), "utf8");
    const padded = text
      .replace("references.py::transpose", "baseline")
      .replaceAll("transpose", "padded")
      .replace("[kTile][kTile];", "[kTile][kTile + 1];");
    writeFileSync(join(folder, `padded.cu${ending}`), padded);
  }
}

/** A run that finds nothing better says what was tried, what sets the bound, and what can be done now. */
export async function endWithoutGain(workbench: Workbench): Promise<void> {
  await workbench.openFile("padded.cu");
  await workbench.editor.clickLens("Optimize");
  const runs = workbench.tree("Run");
  await eventually({
    what: "a run without a gain",
    read: () => runs.rows(),
    accept: (rows) =>
      rows.some(({ label, description }) => label === "padded" && /no gain/.test(description)),
    limit: RUN_LIMIT_MS,
  });
  await workbench.notifications.waitFor(
    /nothing better was found\. Nothing was tried\. A rule that is held back: /,
  );
  await workbench.screenshot("24-no-gain");
  await eventually({
    what: "its time by simulation among the kernels, as in its run",
    read: () => workbench.tree("Kernels").waitForRow("padded"),
    accept: ({ description }) => description === "829 ns · padded.cu:7",
  });
  const told = workbench.page.locator(".quick-input-title", {
    hasText: /padded: Nothing was tried\. \S/,
  });
  await eventually({
    what: "what was tried",
    // A row that is drawn anew at that moment does not take the click.
    read: async () => {
      await runs.press("padded", "What Next");
      return told.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    },
    accept: (isTold) => isTold,
  });
  await eventually({
    what: "what can be done",
    read: () => workbench.quickInput.choices(),
    // The kernel is at the floor of its task: no strategy makes it faster.
    accept: (names) => names.join() === "Open Report",
  });
  await workbench.screenshot("24-what-next-without-gain");
  await workbench.page.keyboard.press("Escape");
}
