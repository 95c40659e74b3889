import type { Rule } from "../../rule";
import { splitStructures, walkAlongRows } from "./far-apart";
import { countIndices } from "./indices";
import { keepStoredElement } from "./keep-stored-element";
import { narrowIndex } from "./narrow-index";
import { partWarps } from "./part-warps";
import { stageConstants } from "../constants/stage-constants";
import { stageOperands } from "./operands";
import { indexRegisters } from "./private-arrays";
import { knownCount } from "../lists/known-count";
import { listsInRegisters } from "../lists/lists-in-registers";
import { unrollArrayLoops } from "../lists/unroll-array-loops";

/** Rules that name a waste, most of which have no rewrite for it yet. */
export const namingRules: readonly Rule[] = [
  splitStructures,
  walkAlongRows,
  stageOperands,
  keepStoredElement,
  knownCount,
  unrollArrayLoops,
  listsInRegisters,
  indexRegisters,
  countIndices,
  narrowIndex,
  partWarps,
  stageConstants,
];
