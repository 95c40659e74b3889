import type { Routes } from "../handler";
import { performance } from "./performance/performance";
import { clangd } from "./clangd";
import { machineCode } from "./machine-code";

/** The requests about what a kernel is compiled to and what that does to a GPU, in the protocol's order. */
export const codeRoutes: Pick<
  Routes,
  "kernelwright/performance" | "kernelwright/machineCode" | "kernelwright/clangd"
> = {
  "kernelwright/performance": performance,
  "kernelwright/machineCode": machineCode,
  "kernelwright/clangd": clangd,
};
