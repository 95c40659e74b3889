import type { JsonObject } from "../../../../core/base/json";
import { OperationalError } from "../../../../core/base/operational-error";
import { listIn, textIn } from "../../transport/read-json";

/** A Python on the GPU's machine with Triton and torch for CUDA. */
export interface GpuPython {
  /** The path of its program. */
  readonly program: string;
}

/** Which Python calls Triton kernels on a GPU. */
export interface GpuPythonChoice {
  /** What the user named; no other is looked at then. */
  readonly named: readonly string[];
  /** Those of this machine that are looked at besides the worker's own and `python3`. */
  readonly usual: readonly string[];
}

/** Reads the answer of the worker. Throws `tool-missing` where no Python will do. */
export function readGpuPython(answer: JsonObject, machine: string): GpuPython {
  if (!("lacking" in answer)) return { program: textIn(answer, "program") };
  const lacking = listIn(answer, "lacking").map(String);
  throw new OperationalError("tool-missing", {
    forUser: `a Triton kernel on a target gpu:N needs a Python with Triton and with torch for CUDA on ${machine}: ${lacking.join("; ")}. Name one: --gpu-python PYTHON, KERNELWRIGHT_GPU_PYTHON, or the setting kernelwright.gpuPython`,
    remedy: "python3 -m pip install torch triton",
  });
}
