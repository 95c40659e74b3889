import { extname } from "node:path";
import type { ProgramRunner } from "../core/ports/program-runner";
import { assetPath } from "./assets";
import type { ServiceOptions } from "./cli/command-context";
import { CudaProgramRunner } from "./program/cuda-program-runner";
import { PythonProgramRunner } from "./program/python-program-runner";
import doctorPieces from "./toolchain/doctor-pieces.json";
import { findNvcc } from "./toolchain/find-nvcc";
import { cacheFolder, findPython } from "./toolchain/find-python";

/** Wires what runs whole programs: Python programs by their ending, all others as CUDA programs. Starts nothing. */
export function composePrograms(options: ServiceOptions, environment: Readonly<Record<string, string | undefined>>): ProgramRunner {
  const threadFile = assetPath("device-thread.js");
  const triton = doctorPieces.find(({ piece }) => piece === "Triton");
  const python = (): ProgramRunner => new PythonProgramRunner({
    python: findPython(options.python ?? "", environment).python, workerFolder: assetPath("worker"), threadFile, withoutTriton: `${triton?.cost ?? ""}\n  ${triton?.remedy ?? ""}`,
  });
  const cuda = (): ProgramRunner => new CudaProgramRunner({
    nvcc: findNvcc(options.nvcc ?? "", environment), threadFile, runtimeSources: assetPath("runtime"), cache: cacheFolder(environment),
  });
  return { run: (request) => (extname(request.file).toLowerCase() === ".py" ? python() : cuda()).run(request) };
}
