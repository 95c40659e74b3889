import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where nvcc is: the setting, KERNELWRIGHT_NVCC, CUDA_HOME, the usual folder, PATH. */
export function findNvcc(setting: string, environment: Readonly<Record<string, string | undefined>>): string {
  const usual = join(environment["CUDA_HOME"] ?? "/usr/local/cuda", "bin", "nvcc");
  return setting !== "" ? setting : environment["KERNELWRIGHT_NVCC"] ?? (existsSync(usual) ? usual : "nvcc");
}
