import type { LaneFamily } from "./emit-integer";

export const halfFamilies: Readonly<Record<string, LaneFamily>> = {};
