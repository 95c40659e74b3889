import { withOneNaN } from "../../library/arithmetic/floats";
import type { ByteSink } from "../../wasm/byte-sink";
import { get, set } from "../../wasm/code";

/**
 * Which NaN a single-precision instruction delivers is left open (PTX ISA section 9.7.3); here it is always
 * 0x7fffffff, so that results are the same everywhere, while the host's arithmetic keeps payloads. Between
 * such instructions the payload does not matter, so that a result is put right only when something else looks
 * at its bits or the segment ends.
 */
export type LooseNaNs = Set<number>;

/** The code of a lane segment whose registers may hold such NaNs. */
interface LooseSegment {
  readonly loose: LooseNaNs;
  readonly code: ByteSink;
  localsOf(register: number): readonly number[];
}

/** Puts a register's NaNs right, if they may be wrong. */
export function settle(lane: LooseSegment, register: number): void {
  if (!lane.loose.delete(register)) return;
  const [local = 0] = lane.localsOf(register);
  lane.code.push(set(local, withOneNaN(get(local))));
}
