import { expect, it } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";

/** The steps that do something to the sample, and what the user then sees. */
const steps = [
  {
    id: "check",
    button: "Check the Sample",
    seen: (workbench: Workbench) => workbench.notifications.waitFor(/transpose.*correct/i),
  },
  {
    id: "profile",
    button: "Profile the Sample",
    seen: (workbench: Workbench) =>
      eventually({
        what: "the sum of the profile, and the line that costs most",
        read: () => workbench.statusItems(),
        accept: (items) => items.some((item) => /transpose: simulated time .* line \d+/.test(item)),
      }),
  },
  {
    id: "optimize",
    button: "Optimize the Sample",
    seen: (workbench: Workbench) => workbench.editor.waitForLens(/^Accept/),
  },
];

/** The walkthrough, in a window that has nothing of it done yet. */
export function describeWalkthrough(window: () => Workbench): void {
  it("opens a sample from its walkthrough, checks, profiles and optimizes it, and ticks each step", async () => {
    const workbench = window();
    await workbench.runCommand("View: Close All Editors");
    await workbench.runCommand("Kernelwright: Get Started");
    const page = workbench.page.locator(".gettingStartedContainer");
    await page.getByText("checked and counted proposal").waitFor({ timeout: PATIENCE_MS });
    expect(await page.innerText()).not.toMatch(/measured/i);
    for (const { id, button, seen } of steps) {
      const step = workbench.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
      await step.waitFor({ timeout: PATIENCE_MS });
      if ((await step.getAttribute("aria-expanded")) !== "true") await step.locator(".step-title").click();
      await step.locator(".monaco-button", { hasText: button }).click();
      await seen(workbench);
      await workbench.page
        .locator(`[data-done-step-id$="#${id}"][aria-checked="true"]`)
        .first()
        .waitFor({ timeout: PATIENCE_MS });
      await workbench.screenshot(`30-walkthrough-${id}`);
    }
    await workbench.runCommand("Kernelwright: End Review without Deciding");
    await workbench.runCommand("View: Close All Editors");
  });
}
