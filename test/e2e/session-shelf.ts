import { expect } from "vitest";
import { eventually } from "../harness/eventually";
import type { Workbench } from "../harness/workbench";
import { lookInEveryTheme, pageFrame } from "./webview-page";

/** Two sessions beside each other, in every theme. */
export async function compareSessions(workbench: Workbench): Promise<void> {
  await chooseSession(workbench, "matmul");
  await workbench.runCommand("Kernelwright: Compare with Another Session");
  await workbench.quickInput.pick("transpose");
  const frame = await pageFrame(workbench, /^Comparison of two sessions$/);
  await frame.getByRole("columnheader", { name: /^matmul, / }).waitFor();
  expect(await frame.getByRole("rowheader").allInnerTexts()).toContain("Outcome");
  await lookInEveryTheme(workbench, frame, "29-comparison");
  await workbench.runCommand("View: Close Editor");
  // The page below comes into view, and takes the focus once it is there.
  await pageFrame(workbench, /^matmul$/);
}

/** Sessions are filtered, grouped, named and deleted. */
export async function arrangeSessions(workbench: Workbench): Promise<void> {
  const becomes = (what: string, accept: (labels: readonly string[]) => boolean): Promise<unknown> =>
    eventually({
      what,
      read: async () => (await workbench.tree("Sessions").rows()).filter(({ level }) => level === 1),
      accept: (rows) => accept(rows.map(({ label, description }) => `${label} ${description}`)),
    });
  await answered(workbench, "Filter Sessions", "matmul");
  await becomes("the sessions of matmul alone", (all) => all.length === 1 && /^matmul /.test(all.join()));
  await workbench.page.getByText("1 of 3 sessions hold “matmul”").waitFor();
  await workbench.screenshot("29-sessions-filtered");
  await workbench.runCommand("Kernelwright: Show All Sessions");
  await workbench.runCommand("Kernelwright: Group Sessions by Kernel");
  await becomes("two kernels", (all) => all.length === 2 && all.some((row) => row.includes("2 sessions")));
  await workbench.screenshot("29-sessions-grouped");
  await workbench.runCommand("Kernelwright: Show Sessions as a List");
  await becomes("three sessions", (all) => all.length === 3);
  await chooseSession(workbench, "matmul");
  await answered(workbench, "Rename Session", "tiles of 32");
  await becomes("the session by its name", (all) => all.some((row) => row.startsWith("tiles of 32 ")));
  await pageFrame(workbench, /^tiles of 32$/);
  const tab = workbench.page.getByRole("tab", { name: /^tiles of 32 trajectory/ });
  await tab.waitFor();
  await workbench.runCommand("Kernelwright: Delete Session");
  await workbench.notifications.waitFor(/Delete the session “tiles of 32” of /);
  await workbench.screenshot("29-delete-session");
  await workbench.notifications.press(/Delete the session “tiles of 32” of /, "Delete");
  await becomes("two sessions", (all) => all.length === 2 && all.every((row) => !row.includes("tiles")));
  // What was deleted has no tab.
  await tab.waitFor({ state: "detached" });
}

/** Runs a command that asks for a text, and answers. A page that comes into view may take its focus. */
async function answered(workbench: Workbench, title: string, text: string): Promise<void> {
  const widget = workbench.page.locator(".quick-input-widget:visible");
  const limit = { timeout: 5000 };
  const answer = async (): Promise<true> => {
    await widget.locator(".quick-input-title", { hasText: title }).waitFor(limit);
    await widget.locator("input.input").fill(text, limit);
    await widget.locator("input.input").press("Enter", limit);
    return true;
  };
  await eventually({
    what: `an answer to ${title}`,
    read: async () => {
      await workbench.runCommand(`Kernelwright: ${title}`);
      return answer().catch(() => false);
    },
    accept: (isAnswered) => isAnswered,
  });
}

/** A click opens the trajectory, and chooses the row that commands of the palette are about. */
async function chooseSession(workbench: Workbench, label: string): Promise<void> {
  await workbench.tree("Sessions").click(label);
  await pageFrame(workbench, new RegExp(`^${label}$`));
}
