import type { Rule } from "../../rule";
import { otherConfiguration } from "./other-configuration";
import { specialize } from "./specialize";
import { sweepWarps } from "./sweep-warps";

/** Rules about how a kernel is compiled and launched, where only the judge can tell which way is better. */
export const sweepRules: readonly Rule[] = [specialize, sweepWarps, otherConfiguration];
