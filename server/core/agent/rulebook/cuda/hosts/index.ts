import type { Rule } from "../../rule";
import { dropWaits } from "./drop-waits";
import { poolScratch } from "./pool-scratch";
import { sumOnGpu } from "./sum-on-gpu";
import { swapBuffers } from "./swap-buffers";

/** Rules about what host code does beside its launches. */
export const hostRules: readonly Rule[] = [swapBuffers, sumOnGpu, poolScratch, dropWaits];
