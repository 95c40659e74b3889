import type { Rule } from "../../rule";
import { skipMaskedBlocks } from "../masks/skip-masked-turns";
import { carryInRegister } from "./carry-in-register";
import { carryPrefix } from "./carry-prefix";
import { factorBehindLoop } from "./factor-behind-loop";
import { loadBeforeLoop } from "./load-before-loop";
import { longerTurns } from "./longer-turns";
import { splitSoftmax } from "./parts/split-softmax";
import { splitLoop } from "./split-loop";
import { turnsInGrid } from "./turns-in-grid";

/** Rules for what the turns of a loop do over and over, or one after the other. */
export const loopRules: readonly Rule[] = [
  skipMaskedBlocks,
  carryInRegister,
  carryPrefix,
  loadBeforeLoop,
  factorBehindLoop,
  longerTurns,
  splitLoop,
  splitSoftmax,
  turnsInGrid,
];
