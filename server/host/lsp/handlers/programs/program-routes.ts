import type { Routes } from "../handler";
import { record } from "./record";
import { runProgram } from "./run-program";

/** The requests about whole programs. */
export const programRoutes: Pick<Routes, "kernelwright/record" | "kernelwright/runProgram"> = {
  "kernelwright/record": record,
  "kernelwright/runProgram": runProgram,
};
