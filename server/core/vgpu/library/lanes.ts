import { type Wasm, block, branch, branchIf, get, i32, loop, op, set } from "../wasm/code";

/** Address of one 32-bit lane of a register. */
export function laneAt(base: Wasm, lane: Wasm): Wasm {
  return op("i32.add", base, op("i32.shl", lane, i32(2)));
}

/**
 * Runs `body` for each set bit of the local `mask`, lowest first, with its number in `lane`. Clears `mask`.
 */
export function forEachLane(mask: number, lane: number, body: Wasm): Wasm {
  return block(
    loop(
      branchIf(1, op("i32.eqz", get(mask))),
      set(lane, op("i32.ctz", get(mask))),
      set(mask, op("i32.and", get(mask), op("i32.sub", get(mask), i32(1)))),
      body,
      branch(0),
    ),
  );
}
