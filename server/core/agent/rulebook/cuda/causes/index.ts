import type { Rule } from "../../rule";
import { splitStructures, walkAlongRows } from "./far-apart";
import { countIndices, narrowIndex, partWarps } from "./indices";
import { indexRegisters, keepStoredElement, stageOperands } from "./operands";

/** Rules that name a waste and have no rewrite for it yet. */
export const namingRules: readonly Rule[] = [
  splitStructures,
  walkAlongRows,
  stageOperands,
  keepStoredElement,
  indexRegisters,
  countIndices,
  narrowIndex,
  partWarps,
];
