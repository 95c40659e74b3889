import type { Family, WarpFamilyName } from "../opcodes/families";
import { asyncFamilies } from "./warp/emit-async";
import { bulkFamilies } from "./warp/emit-bulk";
import { atomicFamilies } from "./warp/emit-atomic";
import { callFamilies } from "./warp/emit-calls";
import { exchangeFamilies } from "./warp/emit-exchange";
import { groupFamilies } from "./warp/group/emit-warpgroup";
import { tensorFamilies } from "./warp/group/emit-tensor";
import { fragmentFamilies } from "./warp/emit-fragments";
import { matrixFamilies } from "./warp/emit-matrix";
import { type WarpFamily, discard, load, store } from "./warp/emit-memory";
import { phaseBarrierFamilies } from "./warp/emit-phase-barrier";
import { sparseFamilies } from "./warp/emit-sparse";
import { textureFamilies } from "./warp/emit-texture";

const nothing: WarpFamily = () => undefined;

/** Emitters of the families that run for a whole warp, each of them. */
export const warpFamilies: Readonly<Partial<Record<Family, WarpFamily>>> = {
  load,
  store,
  discard,
  nothing,
  // The block that it begins waits before its first instruction (`emit-waiting.ts`).
  "grid-wait": nothing,
  fence: nothing,
  "copy-group": nothing,
  "warp-sync": nothing,
  ...exchangeFamilies,
  ...atomicFamilies,
  ...asyncFamilies,
  ...bulkFamilies,
  ...matrixFamilies,
  ...sparseFamilies,
  ...fragmentFamilies,
  ...groupFamilies,
  ...tensorFamilies,
  ...callFamilies,
  ...phaseBarrierFamilies,
  ...textureFamilies,
} satisfies Readonly<Record<WarpFamilyName, WarpFamily>>;
