import type { Rule } from "../../rule";
import { allocateOnce } from "./allocate-once";
import { dropWaits } from "./drop-waits";
import { poolScratch } from "./pool-scratch";
import { sumOnGpu } from "./sum-on-gpu";
import { swapBuffers } from "./swap-buffers";

/** Rules about what host code does beside its launches. */
export const hostRules: readonly Rule[] = [swapBuffers, sumOnGpu, allocateOnce, poolScratch, dropWaits];
