import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolRun } from "../../../server/core/hardware/measurement";
import type { GpuState } from "../../../server/core/hardware/gpu-state";
import type { DeviceCode, TimedSupport } from "../../../server/core/ports/entry-programs";
import { gpuLibrary, runtimeLibrary } from "../../../server/host/program/build/runtime-library";
import { timedSupport } from "../../../server/host/program/entry/entry-programs";
import { startDevice } from "../../../server/host/program/run/device-host";
import { DeviceThreads } from "../../../server/host/program/run/device-threads";
import { runProcess } from "../../../server/host/process/run-process";
import { startProcess } from "../../../server/host/process/start-process";
import { findNvcc } from "../../../server/host/toolchain/find-nvcc";
import { cacheFolder } from "../../../server/host/toolchain/find-python";
import type { HostSource } from "../../../server/host/worker/entry/host-compiler";
import type {
  GpuRuntime,
  Recording,
  TimedCode,
  TimedProgram,
} from "../../../server/host/worker/hardware/gpu-runtime";
import { ownFolder, runGpuTools } from "../../../server/host/worker/hardware/tools/gpu-tools";
import { launcherFile, type NvidiaRuntimeOptions } from "../../../server/host/worker/hardware/nvidia-runtime";
import { TimedProcess } from "../../../server/host/worker/hardware/timed/timed-process";
import { bundledDeviceThread } from "./vgpu-under-test";
import { python, workerFolder } from "./worker-under-test";

/** It names no GPU that exists: what runs is the virtual GPU, and its times are modelled ones. */
export const standIn: GpuState = {
  index: 0,
  uuid: "GPU-stand-in",
  busId: "00000000:00:00.0",
  name: "the virtual GPU in a GPU's place",
  driver: "none",
  architecture: "sm_80",
  heldBack: [],
};

const noSignal = new AbortController().signal;

/** Compiles and links with our runtime; modules find their kernels in our driver. */
async function link(files: Readonly<Record<string, string>>, main: string): Promise<TimedCode> {
  const nvcc = await findNvcc({
    ...{ setting: "", environment: process.env, python, workerFolder, signal: noSignal },
  });
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-timed-test-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const sources = join(__dirname, "../../../server/runtime");
  const options = { nvcc, sources, cache: cacheFolder(process.env), signal: noSignal };
  const libraries = [await gpuLibrary(options, "driver"), await runtimeLibrary(options)];
  const built = await runProcess({
    command: nvcc,
    folder,
    arguments: [
      ...["-O1", "-arch=compute_80", "-code=compute_80", "-Xfatbin", "-compress=false"],
      ...["-cudart", "none", "-DKERNELWRIGHT_LINKED_DRIVER", "-DKERNELWRIGHT_FLUSH_BYTES=65536"],
      ...["-I.", "-o", "program", main, ...libraries, "-lpthread", "-ldl"],
    ],
    timeLimitMilliseconds: 240_000,
  });
  if (built.kind !== "exited" || built.code !== 0) throw new Error(`${built.output}${built.errors}`);
  const program = readFileSync(join(folder, "program"));
  rmSync(folder, { recursive: true });
  return { kind: "compiled", program };
}

const deviceThreads = new DeviceThreads(bundledDeviceThread());

/** A device with the modelled GPU, for one process. */
function ownDevice(): ReturnType<typeof startDevice> {
  return startDevice(deviceThreads, {
    ...{ architecture: "sm_80", sanitize: false, profile: true, launchBudget: 2_000_000_000 },
  });
}

/** Runs tools that lie in some folders on a program with a device of its own. */
async function runTools(
  recording: Recording,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly ToolRun[]> {
  const device = await ownDevice();
  const program =
    "python" in recording ? [...pythonCommand, "looked-at", ownFolder] : recording.program.program;
  const environment = { ...pythonEnvironment, ...device.environment };
  try {
    return await runGpuTools({ program, input: recording.input, environment, folders }, signal);
  } finally {
    await device.close();
  }
}

/** Starts a program with a device of its own. */
async function start({ program }: TimedProgram): Promise<TimedProcess> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-timed-test-"));
  const command = join(folder, "program");
  writeFileSync(command, program);
  chmodSync(command, 0o755);
  const device = await ownDevice();
  const started = await startProcess({ command, arguments: [], environment: device.environment });
  return new TimedProcess(started, {
    close: async () => {
      await device.close();
      rmSync(folder, { recursive: true });
    },
  });
}

let ownLauncher: Promise<TimedCode> | undefined;

/** Starts the program that launches kernels alone; it is linked once. */
export async function startLauncher(): Promise<TimedProcess> {
  ownLauncher ??= timedSupport((name) =>
    readFile(join(__dirname, "../../../server/runtime/entry", name), "utf8"),
  ).then(linkLauncher);
  const code = await ownLauncher;
  if (code.kind !== "compiled") throw new Error("the launcher does not compile");
  return start(code);
}

function linkLauncher(support: TimedSupport): Promise<TimedCode> {
  return link({ ...support.headers, [launcherFile]: support.launcher }, launcherFile);
}

/** The runner of Python entries with the virtual GPU for torch and Triton. */
const pythonCommand = [python, join(__dirname, "timed_on_virtual_gpu.py"), workerFolder] as const;
const pythonEnvironment = {
  KERNELWRIGHT_TORCH_SOURCES: join(__dirname, "../../../server/torch"),
  KERNELWRIGHT_RUNTIME_SOURCES: join(__dirname, "../../../server/runtime"),
  KERNELWRIGHT_CACHE: cacheFolder(process.env),
};

/** Starts it with a device of its own. */
async function startPython(): Promise<TimedProcess> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-timed-test-"));
  const device = await ownDevice();
  const [command, ...words] = pythonCommand;
  const started = await startProcess({
    command,
    arguments: [...words, "timed", folder],
    environment: { ...pythonEnvironment, ...device.environment },
  });
  return new TimedProcess(started, {
    close: async () => {
      await device.close();
      rmSync(folder, { recursive: true });
    },
  });
}

/**
 * The harness and its timing loop, linked with our runtime instead of NVIDIA's: events give the modelled
 * times of launches, so that an order which the model knows has to be found.
 */
export function virtualRuntime(
  { programs, machine }: NvidiaRuntimeOptions,
  toolFolders: readonly string[] = [],
): GpuRuntime {
  let launcher: Promise<TimedCode> | undefined;
  return {
    protections: [],
    state: () => Promise.resolve(standIn),
    beside: () => Promise.resolve([]),
    compile: ({ files, main }: HostSource) => link(files, main),
    launcher: () => {
      launcher ??= programs.timedSupport().then(linkLauncher);
      return launcher;
    },
    image: ({ ptx }: DeviceCode) => new TextEncoder().encode(ptx),
    tools: (recording, signal) => runTools(recording, toolFolders, signal),
    claim: (signal) => machine.claim(`${standIn.uuid}-${process.pid}`, signal),
    start,
    python: () => Promise.resolve({ program: python }),
    startPython,
  };
}
