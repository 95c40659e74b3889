import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeWait, type GpuWait } from "../../../server/core/hardware/gpu-users";
import { formatTarget } from "../../../server/core/timing/target";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { GpuMachine } from "../../../server/host/worker/hardware/gpu-machine";
import { SshTransport } from "../../../server/host/worker/transport/ssh-transport";
import { requiredWalls } from "../../../server/host/worker/transport/walls";
import { evaluate, startEvaluator } from "./evaluation-under-test";
import { sshdProblem, startSshd, type LoopbackSshd } from "./loopback-sshd";
import { localTransport, python, workerFolder } from "./worker-under-test";

/*
 * Machines whose driver is a script that answers as nvidia-smi documents it: all but silicon, here and over a
 * real sshd.
 */

const answer = `0, GPU-none-${process.pid}, 00000000:17:00.0, NVIDIA A100-SXM4-80GB, 550.54.15, 8.0, 1410, 1593, 34, 61.20, 400.00, 0x0000000000000004
`;
const noSignal = new AbortController().signal;
const problem = sshdProblem();
const folder = mkdtempSync(join(tmpdir(), "kernelwright-gpu-machine-test-"));
const programs = join(folder, "bin");
let sshd: LoopbackSshd;
let machines: Readonly<Record<"here" | "far", GpuMachine>>;

beforeAll(async () => {
  mkdirSync(programs);
  answerWith(`cat <<'E'\n${answer}E`);
  vi.stubEnv("PATH", `${programs}:${process.env["PATH"] ?? ""}`);
  sshd = await startSshd({ path: programs });
  const far = new SshTransport({
    host: "far",
    workerFolder,
    remotePython: python,
    configFile: sshd.configFile,
  });
  machines = { here: new GpuMachine(localTransport()), far: new GpuMachine(far) };
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all(Object.values(machines).map((machine) => machine.close()));
  await sshd.stop();
  rmSync(folder, { recursive: true });
});

const twice: KernelSpec = {
  file: "twice.cu",
  kernel: "twice",
  dialect: "cuda",
  run: {
    kind: "launch",
    launch: { grid: ["n / 256"], block: [256], arguments: ["x", "y", { value: "n", dtype: "int32" }] },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1024 } }],
  reference: { kind: "expression", expressions: { y: "2 * x" } },
  objective: "modelled-bound",
};

function answerWith(script: string): void {
  writeFileSync(join(programs, "nvidia-smi"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, "nvidia-smi"), 0o755);
}

/** A program of which nothing has to lie on the machine. */
function compiled(main: string): Uint8Array {
  const path = join(folder, "program");
  const text = `#include <unistd.h>\n#include <stdio.h>\nint main(void) { ${main} }\n`;
  execFileSync("gcc", ["-static", "-x", "c", "-o", path, "-"], { input: text });
  return readFileSync(path);
}

/** How many programs of a machine stand in the table of processes. */
function running(): number {
  const table = execFileSync("ps", ["-e", "-o", "args"], { encoding: "utf8" });
  return table.split("\n").filter((line) => /^\S*kernelwright-worker-\S*\/program$/.test(line)).length;
}

const skipped = problem === undefined ? "" : ` (left out: ${problem})`;

describe.skipIf(problem !== undefined)(`GPUs of a machine${skipped}`, () => {
  const cases = ["here", "far"] as const;

  test.each(cases)("%s are those that its driver names", async (where) => {
    const machine = machines[where];
    const name = where === "here" ? "this machine" : "ssh far";
    expect(await machine.numbered(0, noSignal)).toMatchObject({
      architecture: "sm_80",
      driver: "550.54.15",
      heldBack: ["the power limit"],
    });
    const needs = `a target gpu:N needs an NVIDIA GPU with its driver on ${name}`;
    await expect(machine.numbered(3, noSignal)).rejects.toMatchObject({
      code: "tool-missing",
      message: `${needs}: it has no GPU number 3; it has gpu:0 (NVIDIA A100-SXM4-80GB). Without one, vgpu:sm_80 runs kernels on the virtual GPU`,
    });
    answerWith("echo 'Failed to initialize NVML: Driver/library version mismatch' >&2; exit 18");
    await expect(machine.numbered(0, noSignal)).rejects.toMatchObject({
      code: "tool-missing",
      message: `${needs}: nvidia-smi failed: Failed to initialize NVML: Driver/library version mismatch. Without one, vgpu:sm_80 runs kernels on the virtual GPU`,
    });
    answerWith(`cat <<'E'\n${answer}E`);
  });

  test.each(cases)(
    "%s run a program behind walls, and it ends when it is given up, whatever it does",
    async (where) => {
      const machine = machines[where];
      const gpu = await machine.numbered(0, noSignal);
      const start = (main: string) => machine.start({ program: compiled(main), gpu, walls: requiredWalls });
      const limits = { limitSeconds: 60, signal: noSignal };
      const fails = await start(`fprintf(stderr, "uid %d\\n", access("/etc/shadow", R_OK)); return 3;`);
      expect(await fails.load("k", new Uint8Array(), limits)).toEqual({
        kind: "lost",
        message: "the process ended with status 3: uid -1",
      });
      await fails.close();
      const endless = await start("for (;;) pause();");
      expect(await endless.load("k", new Uint8Array(), { ...limits, limitSeconds: 1 })).toEqual({
        kind: "timed-out",
      });
      await endless.close();
      expect(running()).toBe(0);
    },
  );

  test("are kept from all others of the machine, until they are given back or their holder is gone", async () => {
    const uuid = `GPU-${process.pid}/.`;
    const order: string[] = [];
    const first = await machines.here.claim(uuid, noSignal);
    const second = machines.far.claim(uuid, noSignal).then((claim) => {
      order.push("far has it");
      return claim;
    });
    const given = new AbortController();
    const third = machines.here.claim(uuid, given.signal);
    given.abort();
    await expect(third).rejects.toMatchObject({ code: "cancelled" });
    order.push("here gives it back");
    await first.release();
    await second;
    const holder = new GpuMachine(localTransport());
    const fourth = holder.claim(uuid, noSignal);
    await machines.far.close();
    await (await fourth).release();
    await holder.close();
    expect(order).toEqual(["here gives it back", "far has it"]);
  });

  test("whoever waits for one is told which process has it", async () => {
    const uuid = `GPU-waited-${process.pid}`;
    const first = await machines.here.claim(uuid, noSignal);
    const given = new AbortController();
    const waiting = new GpuMachine(localTransport());
    const told = await new Promise<GpuWait>((resolve, reject) => {
      waiting.claim(uuid, given.signal, resolve).catch(reject);
    });
    given.abort();
    await first.release();
    await waiting.close();
    expect(told.holder).toMatch(new RegExp(`^process ${process.pid} \\(.+\\)$`));
    expect(describeWait(told)).toBe(`waiting for the GPU, which ${told.holder} uses`);
    expect(describeWait({ holder: "" })).toBe(
      "waiting for the GPU, which another process of Kernelwright uses",
    );
  });

  test("behind ssh are targets: all is done there but the last step, which finds no driver", async () => {
    const under = startEvaluator({ ssh: { remotePython: python, configFile: sshd.configFile } });
    const target = await under.evaluator.resolve(
      { kind: "gpu", index: 0, architecture: "sm_90", host: "far" },
      noSignal,
    );
    expect(formatTarget(target)).toBe("ssh:far/gpu:0/A100 80GB SXM");
    const source = `__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
`;
    const checked = evaluate(under.evaluator, {
      ...{ spec: twice, baseline: { "twice.cu": source }, target, tier: "quick", checkOnly: true },
    });
    await expect(checked).rejects.toMatchObject({
      code: "tool-missing",
      message: expect.stringMatching(
        /^the GPU cannot be used: .*(libcuda|cudaError(InsufficientDriver|NoDevice))/s,
      ),
    });
    await under.close();
  });
});
