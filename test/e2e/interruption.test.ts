import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { eventually } from "../harness/eventually";
import { addLargerMatmul } from "../harness/larger-matmul";
import { markedProcesses } from "../harness/marked-processes";
import { openWorkbench, type Workbench } from "../harness/workbench";

const RUN_LIMIT_MS = 240_000;

/**
 * Rows and columns of the first shape of a kernel that is interrupted: no machine is done with it before
 * the interruption has taken hold.
 */
const INTERRUPTED_SIZE = 160;

function signalServer(mark: string, signal: NodeJS.Signals): void {
  const [server, ...others] = markedProcesses(mark, "dist/server.js");
  expect([server === undefined, others]).toEqual([false, []]);
  process.kill(server ?? 0, signal);
}

/** What ends in the middle of a run, and how. */
const interruptions: readonly {
  readonly what: string;
  readonly kernel: string;
  readonly picture: string;
  /** The run goes on without the user. */
  readonly byItself?: boolean;
  readonly strike: (workbench: Workbench, mark: string) => Promise<void>;
}[] = [
  {
    what: "the language server is killed",
    kernel: "killed_server",
    picture: "20-server-killed",
    strike: (_workbench, mark) => Promise.resolve(signalServer(mark, "SIGKILL")),
  },
  {
    what: "the language server hangs and the user starts it anew",
    kernel: "hung_server",
    picture: "23-server-hung",
    strike: async (workbench, mark) => {
      signalServer(mark, "SIGSTOP");
      await workbench.runCommand("Kernelwright: Restart Server");
    },
  },
  {
    what: "the extension host is killed and the window loaded anew",
    kernel: "killed_host",
    picture: "22-host-killed",
    byItself: true,
    strike: async (workbench, mark) => {
      const hosts = markedProcesses(mark, "--type=extensionHost");
      expect(hosts).toHaveLength(1);
      for (const host of hosts) process.kill(host, "SIGKILL");
      await workbench.reload();
    },
  },
  {
    what: "the window is loaded anew",
    kernel: "reloaded_window",
    picture: "21-window-reloaded",
    byItself: true,
    strike: (workbench) => workbench.reload(),
  },
];

describe("what ends in the middle of a run", () => {
  const samples = copySamples();
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  const mark = `KERNELWRIGHT_TEST_MARK=${process.pid}`;
  let workbench: Workbench;

  beforeAll(async () => {
    for (const { kernel } of interruptions) addLargerMatmul(samples.folder, kernel, INTERRUPTED_SIZE);
    const [name = "", value = ""] = mark.split("=");
    workbench = await openWorkbench({
      workspace: samples.folder,
      settings: {
        "kernelwright.sessionsFolder": sessions,
        "files.autoSave": "off",
        // The first candidate wins; what else is tried only takes time.
        "kernelwright.budget.candidates": 1,
      },
      environment: { [name]: value },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("20-end-of-interruptions");
    await workbench.close();
    samples.remove();
    rmSync(sessions, { recursive: true, force: true, maxRetries: 30 });
  });

  it.each(interruptions)(
    "$what: the file is as it was, and the session brings its proposal once it goes on",
    async ({ kernel, picture, byItself = false, strike }) => {
      const source = join(samples.folder, `${kernel}.cu`);
      const original = readFileSync(source, "utf8");
      await workbench.openFile(`${kernel}.cu`);
      await workbench.editor.clickLens("Optimize");
      const run = workbench.tree("Run");
      await eventually({
        what: "a candidate",
        read: () => run.rows(),
        accept: (rows) => {
          const below = rows.findIndex(({ label }) => label.includes(kernel)) + 1;
          return below > 0 && (rows[below]?.level ?? 0) > 1;
        },
        limit: RUN_LIMIT_MS,
      });
      await strike(workbench, mark);
      await eventually({
        what: "the extension at work again",
        read: () => workbench.statusItems(),
        accept: (items) => items.some((item) => /vgpu:sm_80|modelled/.test(item)),
      });
      await workbench.runCommand("Kernelwright: Focus on Sessions View");
      const kept = workbench.tree("Sessions");
      const becomes = (state: RegExp, limit?: number): Promise<unknown> =>
        eventually({
          what: `the session ${state}`,
          read: () => kept.rows(),
          accept: (rows) => rows.some((row) => row.label.includes(kernel) && state.test(row.description)),
          limit,
        });
      if (!byItself) {
        await becomes(/^(interrupted|cancelled)/);
        expect(await workbench.notifications.waitFor(`Optimizing ${kernel} was interrupted`)).toContain(
          "Resume",
        );
      }
      expect(readFileSync(source, "utf8")).toBe(original);
      // Views that are still being filled do not say that there is nothing.
      expect(await workbench.page.getByText(/No session is kept|Nothing has run/).count()).toBe(0);
      await workbench.screenshot(picture);
      if (!byItself) await kept.press(new RegExp(kernel), "Resume Session");
      await becomes(/^improved/, RUN_LIMIT_MS);
      await workbench.openFile(`${kernel}.cu`);
      await workbench.editor.waitForLens(/Accept/);
      expect(readFileSync(source, "utf8")).toBe(original);
    },
  );
});
