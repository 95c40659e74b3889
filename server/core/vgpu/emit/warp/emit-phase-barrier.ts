import { types } from "../../ptx/types";
import { i32 } from "../../wasm/code";
import { trash } from "../emitters/addresses";
import { type WarpFamily, translate, type WarpFamilies } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";

const constant = (value: bigint): ProgramOperand => ({ kind: "integer", value });

function locate(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  address: ProgramOperand | undefined,
  mask: Parameters<WarpFamily>[2],
): void {
  translate(warp, { instruction, address, bytes: 8, access: "atomic", mask });
}

/**
 * Forms of mbarrier without a result (PTX ISA sections 9.7.13.15.9 to 9.7.13.15.12). An invalidated barrier
 * is plain memory again.
 */
const change: WarpFamily = (warp, instruction, mask) => {
  const { action = "" } = instruction.matched.modifiers;
  const [address, amount] = instruction.operands;
  locate(warp, instruction, address, mask);
  const source = (): ReturnType<WarpEmitter["source"]> => warp.source(instruction, amount, types.u32);
  if (action === "init") warp.push(warp.call("phase_init", source(), mask));
  else if (action === "expect_tx") warp.push(warp.call("phase_expect", source(), mask));
  else if (action === "complete_tx") warp.push(warp.call("phase_complete", source(), mask));
};

/**
 * mbarrier.arrive and arrive_drop (PTX ISA sections 9.7.13.15.13 and 9.7.13.15.14); .noComplete is a promise
 * of the program.
 */
const arrive: WarpFamily = (warp, instruction, mask) => {
  const { action = "", transaction } = instruction.matched.modifiers;
  const [d, address, amount] = instruction.operands;
  if (transaction && amount === undefined) return refuse(instruction, "the number of bytes is missing");
  locate(warp, instruction, address, mask);
  const [count, bytes] = transaction
    ? [constant(1n), amount ?? constant(0n)]
    : [amount ?? constant(1n), constant(0n)];
  warp.push(
    warp.call(
      "phase_arrive",
      warp.target(instruction, d),
      warp.source(instruction, count, types.u32),
      warp.source(instruction, bytes, types.u32),
      i32(action === "arrive_drop" ? 1 : 0),
      mask,
    ),
  );
};

/**
 * mbarrier.test_wait and try_wait (PTX ISA section 9.7.13.15.16): an attempt may end at any time, and here it
 * ends at once.
 */
const wait: WarpFamily = (warp, instruction, mask) => {
  const [d, address, given] = instruction.operands;
  const { parity } = instruction.matched.modifiers;
  locate(warp, instruction, address, mask);
  warp.push(
    warp.call(
      parity ? "phase_test_parity" : "phase_test",
      warp.target(instruction, d),
      warp.source(instruction, given, parity ? types.u32 : types.b64),
      mask,
    ),
  );
};

/** mbarrier.pending_count (PTX ISA section 9.7.13.15.17). */
const count: WarpFamily = (warp, instruction, mask) => {
  const [d, state] = instruction.operands;
  warp.push(
    warp.call("phase_pending", warp.target(instruction, d), warp.source(instruction, state, types.b64), mask),
  );
};

/**
 * cp.async.mbarrier.arrive (PTX ISA section 9.7.9.25.3.4): the thread's copies are done already, so that it
 * arrives at once. Without .noinc the pending count first grows by that arrival: nothing changes.
 */
const arriveCopies: WarpFamily = (warp, instruction, mask) => {
  locate(warp, instruction, instruction.operands[0], mask);
  if (!instruction.matched.modifiers["increment"]) return;
  warp.push(
    warp.call(
      "phase_arrive",
      trash(),
      warp.source(instruction, constant(1n), types.u32),
      warp.source(instruction, constant(0n), types.u32),
      i32(0),
      mask,
    ),
  );
};

export const phaseBarrierFamilies = {
  "phase-barrier-change": change,
  "phase-barrier-arrive": arrive,
  "phase-barrier-wait": wait,
  "phase-barrier-count": count,
  "phase-barrier-copies": arriveCopies,
} as const satisfies WarpFamilies;
