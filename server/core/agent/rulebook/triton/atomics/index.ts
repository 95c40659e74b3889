import type { Rule } from "../../rule";
import { atomicBehindLoop } from "./atomic-behind-loop";
import { binsFirst } from "./bins-first";
import { rowsInTurn } from "./rows-in-turn";
import { sumFirst } from "./sum-first";
import { sumTileFirst } from "./sum-tile-first";

/** Rules for additions of many lanes to few addresses. */
export const atomicRules: readonly Rule[] = [atomicBehindLoop, rowsInTurn, binsFirst, sumFirst, sumTileFirst];
