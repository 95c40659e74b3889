import type { Routes } from "../handler";
import { coloursOf } from "./colours";
import { cpuProfile } from "./cpu-profile";
import { performance } from "./performance/performance";
import { clangd } from "./clangd";
import { machineCode } from "./machine-code";

/** The requests about what a kernel is compiled to, what that does to a GPU, and how its text looks. */
export const codeRoutes: Pick<
  Routes,
  | "kernelwright/performance"
  | "kernelwright/machineCode"
  | "kernelwright/clangd"
  | "kernelwright/colours"
  | "kernelwright/cpuProfile"
> = {
  "kernelwright/performance": performance,
  "kernelwright/machineCode": machineCode,
  "kernelwright/clangd": clangd,
  "kernelwright/colours": coloursOf,
  "kernelwright/cpuProfile": cpuProfile,
};
