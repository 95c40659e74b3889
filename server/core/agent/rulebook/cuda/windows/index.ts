import type { Rule } from "../../rule";
import { shareWindowValues } from "./share-window-values";
import { stageWindow } from "./stage-window";
import { windowOutputs } from "./window-outputs";

/** Rules about points that look at their neighbours. */
export const windowRules: readonly Rule[] = [shareWindowValues, windowOutputs, stageWindow];
