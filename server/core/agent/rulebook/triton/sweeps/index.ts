import type { Rule } from "../../rule";
import { otherConfiguration } from "./other-configuration";
import { sweepWarps } from "./sweep-warps";

/** Rules that try other values of a launch, where only the judge can tell which is better. */
export const sweepRules: readonly Rule[] = [sweepWarps, otherConfiguration];
