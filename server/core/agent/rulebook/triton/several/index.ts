import type { Rule } from "../../rule";
import { batchInGrid } from "../batches/batch-in-grid";
import { turnsInKernel } from "../batches/turns-in-kernel";
import { takeTurns } from "../hosts/take-turns";
import { reduceTiles } from "../reduced/reduce-tiles";
import { spreadRules } from "../spread/index";
import { statisticsInKernel } from "../statistics/statistics-in-kernel";
import { scalarRows } from "./scalar-rows";
import { shareLoads } from "./share-loads";
import { tilesInTurn } from "./tiles-in-turn";
import { valuesInTurn } from "./values-in-turn";

/** Rules that let one program work on more, or for several indices what it did for one. */
export const severalRules: readonly Rule[] = [
  batchInGrid,
  turnsInKernel,
  takeTurns,
  reduceTiles,
  statisticsInKernel,
  ...spreadRules,
  scalarRows,
  shareLoads,
  tilesInTurn,
  valuesInTurn,
];
