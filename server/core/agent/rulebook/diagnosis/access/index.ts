import type { Diagnosis } from "../measured";
import { accumulatedInMemory, contendedAtomics } from "./atomics";
import { constantDivergence } from "./constants";
import { farApart, type Spread } from "./far-apart";
import { groupedPrograms } from "./grouped-programs";
import { dependentLoads, lookedUpElements } from "./looked-up";
import { bankConflicts, localMemory } from "./memory";
import { scalarAccess } from "./narrow";
import { overwrittenStores } from "./overwritten";
import { operandsReread, redundantLoads, rowPasses } from "./rereads";

const spread =
  (kind: Spread): Diagnosis =>
  (measured, entry) =>
    farApart(measured, entry, kind);

/** What accesses to memory cost, by the identifiers of diagnoses.json. */
export const accessDiagnoses: Readonly<Record<string, Diagnosis>> = {
  "contended-atomics": contendedAtomics,
  "accumulated-in-memory": accumulatedInMemory,
  "bank-conflicts": bankConflicts,
  "constant-divergence": constantDivergence,
  "local-memory": localMemory,
  "redundant-loads": redundantLoads,
  "operands-reread": operandsReread,
  "row-passes": rowPasses,
  "overwritten-stores": overwrittenStores,
  "looked-up-elements": lookedUpElements,
  "dependent-loads": dependentLoads,
  "grouped-programs": groupedPrograms,
  "scalar-access": scalarAccess,
  structures: spread("array-of-structures"),
  "strided-threads": spread("strided-threads"),
  "swapped-axes": spread("swapped-axes"),
  "thread-per-row": spread("thread-per-row"),
  "transposed-access": spread("transposed-access"),
};
