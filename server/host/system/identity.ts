import { createHash, randomBytes } from "node:crypto";
import { monotonicFactory } from "ulid";
import type { Identity } from "../../core/ports/identity";

/** Two ids made within one millisecond still sort in the order of making. */
const nextUlid = monotonicFactory();

/** The machine's own randomness and hashing. */
export const systemIdentity: Identity = {
  ulid: () => nextUlid(),
  randomHex: (bytes) => randomBytes(bytes).toString("hex"),
  sha256: (content) => createHash("sha256").update(content).digest("hex"),
};
