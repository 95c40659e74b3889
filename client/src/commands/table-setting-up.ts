import { goToLine } from "../chat/go-to-line";
import type { Command } from "./command";
import { exportCpuProfile } from "./product/export-cpu-profile";
import { sortLines } from "./product/sort-lines";
import { trySample } from "./product/try-sample";
import { writeClangd } from "./product/write-clangd";
import { createSpec } from "./running/create-spec";
import { preview } from "./running/preview";
import { record } from "./running/record";
import { profileProgram, runProgram, sanitizeProgram } from "./running/run-program";
import { showMachineCode } from "./running/show-machine-code";

/** Commands about how kernels are exercised, the code that is made of them, its lines, and the sample. */
export const settingUp: readonly Command[] = [
  trySample,
  createSpec,
  record,
  runProgram,
  sanitizeProgram,
  profileProgram,
  preview,
  showMachineCode,
  writeClangd,
  sortLines,
  goToLine,
  exportCpuProfile,
];
