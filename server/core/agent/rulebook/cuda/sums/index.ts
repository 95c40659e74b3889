import type { Rule } from "../../rule";
import { splitSum } from "./split-sum";
import { splitTurns } from "./split-turns";

/** Rules for long sums of few outputs. */
export const sumRules: readonly Rule[] = [splitSum, splitTurns];
