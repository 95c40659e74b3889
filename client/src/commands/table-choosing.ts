import type { Command } from "./command";
import { selectModel } from "./model/select-model";
import { setModelKey } from "./model/set-model-key";
import { testModel } from "./model/test-model";
import { selectStrategy } from "./product/select-strategy";
import { optimizeCommand } from "./starting/optimize-command";
import { optimizeWithOptions } from "./starting/start-sheet";
import { selectTarget } from "./product/select-target";

/** Commands that say how runs are made: where, how, and with which model. */
export const choosing: readonly Command[] = [
  optimizeWithOptions,
  optimizeCommand,
  selectTarget,
  selectStrategy,
  selectModel,
  setModelKey,
  testModel,
];
