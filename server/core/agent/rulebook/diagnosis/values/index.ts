import type { Diagnosis } from "../measured";
import { searchesByTurns } from "../searches";
import { overlappingValues } from "./overlapping";
import { recomputedValues } from "./recomputed";
import { separableWindows } from "./separable";

/** What the values of a kernel are made of, by the identifiers of diagnoses.json. */
export const valuesDiagnoses: Readonly<Record<string, Diagnosis>> = {
  "linear-search": searchesByTurns,
  "recomputed-values": recomputedValues,
  "overlapping-values": overlappingValues,
  "separable-windows": separableWindows,
};
