import type { ProgramRunner } from "../core/ports/program-runner";
import { assetPath } from "./assets";
import type { ServiceOptions } from "./cli/command-context";
import { CudaProgramRunner } from "./program/cuda-program-runner";
import { findNvcc } from "./toolchain/find-nvcc";
import { cacheFolder } from "./toolchain/find-python";

/** Wires what runs whole programs. Starts nothing. */
export function composePrograms(options: ServiceOptions, environment: Readonly<Record<string, string | undefined>>): ProgramRunner {
  return new CudaProgramRunner({
    nvcc: findNvcc(options.nvcc ?? "", environment), threadFile: assetPath("device-thread.js"), runtimeSources: assetPath("runtime"), cache: cacheFolder(environment),
  });
}
