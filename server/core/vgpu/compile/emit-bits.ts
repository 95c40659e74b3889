import type { LaneFamily } from "./emit-integer";

export const bitFamilies: Readonly<Record<string, LaneFamily>> = {};
