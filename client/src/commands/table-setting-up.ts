import type { Command } from "./command";
import { createSpec } from "./running/create-spec";
import { preview } from "./running/preview";
import { record } from "./running/record";

/** Commands about how kernels are exercised. */
export const settingUp: readonly Command[] = [createSpec, record, preview];
