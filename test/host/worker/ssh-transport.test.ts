import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { SshTransport } from "../../../server/host/worker/transport/ssh-transport";
import { WorkerHandle } from "../../../server/host/worker/transport/worker-handle";
import { evaluate, startEvaluator, summary } from "./evaluation-under-test";
import { sshdProblem, startSshd, type LoopbackSshd } from "./loopback-sshd";
import { python, workerFolder } from "./worker-under-test";

const problem = sshdProblem();

describe.skipIf(problem !== undefined)(
  `over a real sshd on the loopback${problem === undefined ? "" : ` (left out: ${problem})`}`,
  () => {
    let sshd: LoopbackSshd;
    beforeAll(async () => {
      sshd = await startSshd();
    });
    afterAll(() => sshd.stop());

    const transportTo = (host: string): SshTransport =>
      new SshTransport({ host, workerFolder, remotePython: python, configFile: sshd.configFile });
    const compile = (worker: WorkerHandle): Promise<unknown> =>
      worker.request(
        "compile-cuda",
        {
          files: { "k.cu": "__global__ void k(int* p) { *p = 1; }\n" },
          main: "k.cu",
          architecture: "sm_80",
          nvcc: "",
          seconds: 60,
        },
        { timeLimitMilliseconds: 90_000 },
      );

    test("copies the worker once by content, compiles there, and shares one connection", async () => {
      const transport = transportTo("far");
      const worker = new WorkerHandle(transport, "build");
      expect(await compile(worker)).toMatchObject({
        result: { compiled: true, entries: [{ name: "_Z1kPi" }] },
      });
      const copies = readdirSync(join(sshd.folder, "cache/kernelwright/worker"));
      expect(copies).toHaveLength(1);
      await worker.close();
      await transport.close();
      const second = transportTo("far");
      const again = new WorkerHandle(second, "build");
      expect(await compile(again)).toMatchObject({ result: { compiled: true } });
      expect(readdirSync(join(sshd.folder, "cache/kernelwright/worker"))).toEqual(copies);
      await again.close();
      await second.close();
    });

    test("a lost connection fails the request at hand as worker-lost, and the next one connects anew", async () => {
      const transport = transportTo("far");
      const worker = new WorkerHandle(transport, "build");
      await compile(worker);
      const endless = worker.request(
        "compile-cuda",
        {
          files: { "e.cu": `#include "e.cu"\n` },
          main: "e.cu",
          architecture: "sm_80",
          nvcc: "",
          seconds: 60,
        },
        { timeLimitMilliseconds: 90_000 },
      );
      cutConnections(sshd);
      await expect(endless).rejects.toMatchObject({ code: "worker-lost" });
      expect(await compile(worker)).toMatchObject({ result: { compiled: true } });
      await worker.close();
      await transport.close();
    });

    test("a kernel is compiled and judged there, run here, and a wrong one is told apart", async () => {
      const under = startEvaluator({ ssh: { remotePython: python, configFile: sshd.configFile } });
      const spec: KernelSpec = {
        file: "double.cu",
        kernel: "twice",
        dialect: "cuda",
        objective: "modelled-bound",
        run: {
          kind: "launch",
          launch: {
            grid: ["ceil_div(n, 64)"],
            block: [64],
            arguments: ["x", "y", { value: "n", dtype: "int32" }],
          },
        },
        inputs: { x: { dtype: "float32", shape: ["n"] } },
        outputs: { y: { dtype: "float32", shape: ["n"] } },
        shapes: [{ sizes: { n: 300 } }],
        reference: { kind: "expression", expressions: { y: "2 * x" } },
      };
      const source =
        "__global__ void twice(const float* x, float* y, int n) {\n  int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) y[i] = 2 * x[i];\n}\n";
      const given = {
        spec,
        baseline: { "double.cu": source },
        target: { kind: "ssh" as const, host: "far", architecture: "sm_80" },
      };
      expect(summary((await evaluate(under.evaluator, given)).checked)).toEqual(
        Array(2).fill({ sizes: { n: 300 }, passed: true }),
      );
      expect(
        summary(
          (
            await evaluate(under.evaluator, {
              ...given,
              candidate: { "double.cu": source.replace("2 * x", "1 + 2 * x") },
            })
          ).checked,
        ),
      ).toMatchObject([{ passed: false, mismatch: { wrong: 300 } }, { passed: false }]);
      await under.close();
    });

    test("an unreachable host and a host that is an option are refused with what to try", async () => {
      const nowhere = transportTo("nowhere.invalid");
      await expect(nowhere.start("build")).rejects.toMatchObject({
        code: "transport-failed",
        remedy: "ssh nowhere.invalid true",
      });
      expect(() => transportTo("-oProxyCommand=true")).toThrow(/is no host name/);
    });
  },
);

test("a machine without ssh is told so, and no folder is left there", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "kernelwright-scratch-"));
  for (const name of ["PATH", "TMPDIR"]) vi.stubEnv(name, scratch);
  await expect(new SshTransport({ host: "far", workerFolder }).start("build")).rejects.toMatchObject({
    code: "tool-missing",
  });
  vi.unstubAllEnvs();
  expect(readdirSync(scratch)).toEqual([]);
  rmdirSync(scratch);
});

/** Kills the server's sessions, as a network that goes away would. */
function cutConnections(sshd: LoopbackSshd): void {
  const listener = execFileSync("cat", [join(sshd.folder, "sshd.pid")], { encoding: "utf8" }).trim();
  const sessions = execFileSync("ps", ["-o", "pid=", "--ppid", listener], { encoding: "utf8" })
    .split(/\s+/)
    .filter((pid) => pid !== "");
  for (const pid of sessions) process.kill(Number(pid), "SIGKILL");
}
