import type { Family, LaneFamilyName } from "../opcodes/families";
import { addressFamilies } from "./lane/emit-address";
import { bitFamilies } from "./lane/emit-bits";
import { carry } from "./lane/emit-carry";
import { compareFamilies } from "./lane/emit-compare";
import { convertFamilies } from "./lane/emit-convert";
import { floatFamilies } from "./lane/emit-float";
import { halfFamilies } from "./lane/emit-half";
import { type LaneFamily, integerFamilies } from "./lane/emit-integer";
import { logicFamilies } from "./lane/emit-logic";
import { load } from "./lane/memory/emit-load";
import { smallFloatFamilies } from "./lane/emit-small-floats";
import { videoFamilies } from "./lane/video/emit-video";
import { packedVideoFamilies } from "./lane/video/emit-video-packed";
import { wordFamilies } from "./lane/emit-words";

/**
 * Emitters of the families that run lane by lane, each of them, and of loads of the kernel's own parameters
 * and of those that `findLaneLoads` has found.
 */
export const laneFamilies: Readonly<Partial<Record<Family, LaneFamily>>> = {
  carry,
  load,
  ...addressFamilies,
  ...bitFamilies,
  ...compareFamilies,
  ...convertFamilies,
  ...floatFamilies,
  ...halfFamilies,
  ...integerFamilies,
  ...logicFamilies,
  ...packedVideoFamilies,
  ...smallFloatFamilies,
  ...videoFamilies,
  ...wordFamilies,
} satisfies Readonly<Record<LaneFamilyName | "load", LaneFamily>>;
