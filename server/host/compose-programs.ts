import { OperationalError } from "../core/base/operational-error";
import type { EntryPrograms } from "../core/ports/entry-programs";
import type { ProgramRunner } from "../core/ports/program-runner";
import { assetPath } from "./assets";
import type { ServiceOptions } from "./cli/command-context";
import { withBuildSettings } from "./compose-build";
import { WalledEntryPrograms } from "./program/entry/entry-programs";
import { CudaProgramRunner } from "./program/run/cuda-program-runner";
import { DeviceThreads } from "./program/run/device-threads";
import { PythonProgramRunner } from "./program/run/python-program-runner";
import { doctorPieces } from "./toolchain/doctor-pieces";
import { runAsUsual } from "./usual-run";
import { findNvcc } from "./toolchain/find-nvcc";
import { cacheFolder, findPython } from "./toolchain/find-python";

/** Wires what runs the host code of CUDA entries. Starts nothing. */
export function composeEntryPrograms({
  nvcc,
  python,
  environment,
}: {
  readonly nvcc: string;
  readonly python: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): EntryPrograms {
  const workerFolder = assetPath("worker");
  return new WalledEntryPrograms({
    findNvcc: (signal) => findNvcc({ setting: nvcc, environment, python, workerFolder, signal }),
    threads: new DeviceThreads(assetPath("device-thread.js")),
    runtimeSources: assetPath("runtime"),
    cache: cacheFolder(environment),
    python,
    workerFolder,
  });
}

/**
 * Wires what runs whole programs: Python programs by their ending, all others as CUDA programs. Starts
 * nothing.
 */
export function composePrograms(
  options: ServiceOptions,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): ProgramRunner {
  if (platform === "win32")
    throw new OperationalError("usage", {
      forUser:
        "run needs Linux: a program reaches the virtual GPU over a Unix socket. In the Windows Subsystem for Linux it works; check, profile and optimize work here",
    });
  const threads = new DeviceThreads(assetPath("device-thread.js"));
  const { python } = findPython(options.python ?? "", environment);
  const triton = doctorPieces(python).find(({ piece }) => piece === "Triton");
  const workerFolder = assetPath("worker");
  const forPython = (): ProgramRunner =>
    new PythonProgramRunner({
      python,
      workerFolder,
      threads,
      torchSources: assetPath("torch"),
      runtimeSources: assetPath("runtime"),
      cache: cacheFolder(environment),
      withoutTriton: `${triton?.cost ?? ""}\n  ${triton?.remedy ?? ""}`,
    });
  const forCuda = (): ProgramRunner =>
    new CudaProgramRunner({
      findNvcc: (signal) =>
        findNvcc({ setting: options.nvcc ?? "", environment, python, workerFolder, signal }),
      threads,
      runtimeSources: assetPath("runtime"),
      cache: cacheFolder(environment),
    });
  return {
    run: async (request) => {
      if (/\.py(?:$|::)|::$/i.test(request.file)) return forPython().run(request);
      const built = await withBuildSettings(request, cacheFolder(environment));
      const result = await runAsUsual(forCuda(), built.request);
      return result.kind === "ran"
        ? result
        : { ...result, text: [result.text.trimEnd(), ...built.notes].join("\n") };
    },
  };
}
