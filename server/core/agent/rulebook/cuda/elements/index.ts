import type { Rule } from "../../rule";
import { accumulateInRegister } from "./steady/accumulate-in-register";
import { dropBarriers } from "./barriers/drop-barriers";
import { interleaveThreadItems } from "./interleave-thread-items";
import { loadBeforeLoop } from "./load-before-loop";
import { loadRunAtOnce } from "./load-run-at-once";
import { vectorizeItems } from "./vectorize-items";
import { vectorizeThreads } from "./vectorize-threads";

/** Rules about the elements that each thread handles. */
export const elementRules: readonly Rule[] = [
  accumulateInRegister,
  loadBeforeLoop,
  loadRunAtOnce,
  interleaveThreadItems,
  vectorizeItems,
  vectorizeThreads,
  dropBarriers,
];
