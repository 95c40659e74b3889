import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { eventually } from "../harness/eventually";
import { markedProcesses } from "../harness/marked-processes";
import { openWorkbench, type Workbench } from "../harness/workbench";

const RUN_LIMIT_MS = 120_000;

/** Makes the first shape so large that no machine is done before the interruption has taken hold. */
function enlarge(specFile: string): void {
  const text = readFileSync(specFile, "utf8");
  const enlarged = text.replace('"m": 128, "n": 128, "k": 128', '"m": 224, "n": 224, "k": 224');
  expect(enlarged).not.toBe(text);
  writeFileSync(specFile, enlarged);
}

function signalServer(mark: string, signal: NodeJS.Signals): void {
  const [server, ...others] = markedProcesses(mark, "dist/server.js");
  expect([server === undefined, others]).toEqual([false, []]);
  process.kill(server ?? 0, signal);
}

/** What ends in the middle of a run, and how. */
const interruptions: readonly {
  readonly what: string;
  readonly picture: string;
  readonly strike: (workbench: Workbench, mark: string) => Promise<void>;
}[] = [
  {
    what: "the language server is killed",
    picture: "20-server-killed",
    strike: (_workbench, mark) => Promise.resolve(signalServer(mark, "SIGKILL")),
  },
  {
    what: "the language server hangs and the user starts it anew",
    picture: "23-server-hung",
    strike: async (workbench, mark) => {
      signalServer(mark, "SIGSTOP");
      await workbench.runCommand("Kernelwright: Restart Server");
    },
  },
  {
    what: "the extension host is killed and the window loaded anew",
    picture: "22-host-killed",
    strike: async (workbench, mark) => {
      const hosts = markedProcesses(mark, "--type=extensionHost");
      expect(hosts).toHaveLength(1);
      for (const host of hosts) process.kill(host, "SIGKILL");
      await workbench.reload();
    },
  },
  {
    what: "the window is loaded anew",
    picture: "21-window-reloaded",
    strike: (workbench) => workbench.reload(),
  },
];

for (const [index, { what, picture, strike }] of interruptions.entries()) {
  describe(`when ${what} in the middle of a run`, () => {
    const samples = copySamples();
    const sessions = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
    const mark = `KERNELWRIGHT_TEST_MARK=${process.pid}-${index}`;
    const source = join(samples.folder, "matmul.cu");
    enlarge(join(samples.folder, "matmul.cu.kernel.json"));
    const original = readFileSync(source, "utf8");
    let workbench: Workbench;

    beforeAll(async () => {
      const [name = "", value = ""] = mark.split("=");
      workbench = await openWorkbench({
        workspace: samples.folder,
        settings: { "kernelwright.sessionsFolder": sessions, "files.autoSave": "off" },
        environment: { [name]: value },
      });
    });
    afterAll(async () => {
      await workbench.screenshot(`${picture}-end`);
      await workbench.close();
      samples.remove();
      rmSync(sessions, { recursive: true, force: true, maxRetries: 5 });
    });

    it("the session is there as unfinished, the file is as it was, and resume brings the proposal", async () => {
      await workbench.openFile("matmul.cu");
      await workbench.editor.clickLens("Optimize");
      const run = workbench.tree("Run");
      await eventually({
        what: "a candidate",
        read: () => run.rows(),
        accept: (rows) => rows.some(({ level }) => level > 1),
        limit: RUN_LIMIT_MS,
      });
      await strike(workbench, mark);
      await eventually({
        what: "the extension at work again",
        read: () => workbench.statusItems(),
        accept: (items) => items.some((item) => item.includes("vgpu:sm_80")),
      });
      await workbench.runCommand("Kernelwright: Focus on Sessions View");
      const kept = workbench.tree("Sessions");
      await eventually({
        what: "the unfinished session",
        read: () => kept.rows(),
        accept: ([row]) => row !== undefined && /^(interrupted|cancelled)/.test(row.description),
      });
      expect(readFileSync(source, "utf8")).toBe(original);
      await workbench.screenshot(picture);
      await kept.press(/./, "Resume Session");
      await eventually({
        what: "the session ended well",
        read: () => kept.rows(),
        accept: ([row]) => row !== undefined && row.description.startsWith("improved"),
        limit: RUN_LIMIT_MS,
      });
      await workbench.openFile("matmul.cu");
      await workbench.editor.waitForLens(/Accept/);
      expect(readFileSync(source, "utf8")).toBe(original);
    });
  });
}
