import { resourceWords } from "../../../server/core/words/names/names";
import type { MemoryLevel, OperationKind } from "../../../server/core/timing/pictures/ceilings";
import type { LinkName } from "../../../server/core/timing/pictures/memory-links";
import { t } from "../common/localized";

/** Names on the page, by what the server calls them. */
export const levelWords: Readonly<Record<MemoryLevel, string>> = {
  dram: "DRAM",
  l2: "L2",
  shared: "shared memory",
};

export const roofWords: Readonly<Record<OperationKind | "issue", string>> = {
  fp64: "FP64",
  fp32: "FP32",
  fp16: "FP16",
  tensor: "tensor cores, FP16",
  issue: "issue of instructions",
};

export const linkWords: Readonly<Record<LinkName, string>> = {
  globalLoads: "global loads",
  globalStores: "global stores",
  globalAtomics: "global atomics",
  local: "local memory, spills",
  shared: "shared memory",
  secondLevelLoads: "L2 to L1",
  secondLevelStores: "L1 to L2, stores and atomics",
  memoryLoads: "DRAM to L2",
  memoryStores: "L2 to DRAM",
};

/** A term of the modelled bound; one that a newer server knows keeps its name. */
export function resourceWord(name: string): string {
  return t(resourceWords(name));
}
