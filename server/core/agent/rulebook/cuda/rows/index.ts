import type { Rule } from "../../rule";
import { skipMaskedTurns } from "../masks/skip-masked-turns";
import { keepRowInRegisters } from "./keep-row-in-registers";
import { reuseKeptExpression } from "./reuse-kept-expression";
import { stageReusedRow } from "./stage-reused-row";
import { warpPerRow, warpPerUnevenRow } from "./warp-per-row";

/** Rules about rows that threads or blocks walk over. */
export const rowRules: readonly Rule[] = [
  skipMaskedTurns,
  warpPerRow,
  warpPerUnevenRow,
  keepRowInRegisters,
  reuseKeptExpression,
  stageReusedRow,
];
