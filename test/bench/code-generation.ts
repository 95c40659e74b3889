import { type CompiledKernel, compileKernel, parsePtx } from "../../server/core/vgpu/index";
import { processorTime } from "./one-core";

/** Reads a PTX text and compiles one kernel of it, without counters. */
export function compile(text: string, entry: string, detectors = false): CompiledKernel {
  const parsed = parsePtx(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const compiled = compileKernel(parsed.value, entry, { counters: false, detectors });
  if (!compiled.ok) throw new Error(compiled.problem.reason);
  return compiled.value;
}

/** Milliseconds of processor time, all threads together, that this takes now. */
export function generationTime(text: string, entry: string): number {
  const start = processorTime();
  compile(text, entry);
  return processorTime() - start;
}
