import { type Wasm, get, i32, i64, load, op, set, store, when } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { type LibraryFunction, type LibraryTable, addressVector, wordLocals } from "../library";
import { forEachLane, laneAt } from "../lanes";

/**
 * Barrier objects in memory (PTX ISA section 9.7.13.15). The 64 bits are opaque to programs. Ours are, from
 * the lowest: pending arrivals (20 bits), arrivals expected in the next phase (20), missing transaction bytes
 * (21), and in bit 63 the parity of the phase.
 */
const fields = { pending: 0n, expected: 20n, transactions: 40n, phase: 63n } as const;
const countMask = 0xf_ffffn;
const transactionMask = 0x1f_ffffn;

function wideLaneAt(base: Wasm, lane: Wasm): Wasm {
  return op("i32.add", base, op("i32.shl", lane, i32(3)));
}

function field(state: Wasm, at: bigint, mask: bigint): Wasm {
  return op("i64.and", op("i64.shr_u", state, i64(at)), i64(mask));
}

interface Locals {
  readonly rest: number;
  readonly lane: number;
  readonly at: number;
  readonly state: number;
  readonly pending: number;
  readonly expected: number;
  readonly transactions: number;
}

function locals(builder: FunctionBuilder): Locals {
  const { rest, lane, at } = wordLocals(builder, "rest", "lane", "at");
  const [state, pending, expected, transactions] = Array.from({ length: 4 }, () => builder.local("i64")) as [
    number,
    number,
    number,
    number,
  ];
  return { rest, lane, at, state, pending, expected, transactions };
}

/**
 * Unpacks a state, applies `change` to its parts, completes the phase if nothing is missing, and stores the
 * new state.
 */
function update(names: Locals, change: Wasm): Wasm {
  const { state, pending, expected, transactions, at } = names;
  const complete = op("i32.and", op("i64.eqz", get(pending)), op("i64.eqz", get(transactions)));
  const packed = [
    op("i64.and", get(state), i64(1n << fields.phase)),
    op("i64.and", get(pending), i64(countMask)),
    op("i64.shl", op("i64.and", get(expected), i64(countMask)), i64(fields.expected)),
    op("i64.shl", get(transactions), i64(fields.transactions)),
  ].reduce((left, right) => op("i64.or", left, right));
  return [
    set(state, load("i64.load", get(at))),
    set(pending, field(get(state), fields.pending, countMask)),
    set(expected, field(get(state), fields.expected, countMask)),
    set(transactions, field(get(state), fields.transactions, transactionMask)),
    change,
    when(complete, [
      set(pending, get(expected)),
      set(state, op("i64.xor", get(state), i64(1n << fields.phase))),
    ]),
    store("i64.store", get(at), packed),
  ];
}

/** Runs `body` for each lane in order, with the linear address of its barrier in `at`. */
function eachLane(names: Locals, mask: Wasm, body: Wasm): Wasm {
  return [
    set(names.rest, mask),
    forEachLane(names.rest, names.lane, [
      set(names.at, load("i32.load", laneAt(addressVector, get(names.lane)))),
      body,
    ]),
  ];
}

/** phase_init(counts, mask): initialises barrier objects. */
const init: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [counts = [], mask = []] }) => {
    const names = locals(builder);
    return eachLane(names, mask, [
      set(
        names.pending,
        op(
          "i64.and",
          op("i64.extend_i32_u", load("i32.load", laneAt(counts, get(names.lane)))),
          i64(countMask),
        ),
      ),
      store(
        "i64.store",
        get(names.at),
        op("i64.or", get(names.pending), op("i64.shl", get(names.pending), i64(fields.expected))),
      ),
    ]);
  },
};

/**
 * phase_arrive(destination of the previous states, counts, bytes to expect, drop, mask): with `drop` the next
 * phases expect fewer arrivals.
 */
const arrive: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], counts = [], bytes = [], drop = [], mask = []] }) => {
    const names = locals(builder);
    const before = builder.local("i64");
    const lane = get(names.lane);
    const count = op("i64.extend_i32_u", load("i32.load", laneAt(counts, lane)));
    const expect = op("i64.extend_i32_u", load("i32.load", laneAt(bytes, lane)));
    return eachLane(names, mask, [
      update(names, [
        set(before, get(names.state)),
        set(names.pending, op("i64.and", op("i64.sub", get(names.pending), count), i64(countMask))),
        when(drop, set(names.expected, op("i64.sub", get(names.expected), count))),
        set(
          names.transactions,
          op("i64.and", op("i64.add", get(names.transactions), expect), i64(transactionMask)),
        ),
      ]),
      store("i64.store", wideLaneAt(destination, lane), get(before)),
    ]);
  },
};

/**
 * phase_expect(bytes, mask) and phase_complete(bytes, mask): announces transaction bytes, and completes them.
 */
function transact(done: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [bytes = [], mask = []] }) => {
      const names = locals(builder);
      const amount = op("i64.extend_i32_u", load("i32.load", laneAt(bytes, get(names.lane))));
      return eachLane(
        names,
        mask,
        update(
          names,
          set(
            names.transactions,
            op(
              "i64.and",
              op(done ? "i64.sub" : "i64.add", get(names.transactions), amount),
              i64(transactionMask),
            ),
          ),
        ),
      );
    },
  };
}

/**
 * phase_test(destination, states or parities, mask): true once the phase of the state, or of that parity, is
 * complete.
 */
function test(parity: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters: [destination = [], given = [], mask = []] }) => {
      const names = locals(builder);
      const lane = get(names.lane);
      const phase = (state: Wasm): Wasm => op("i32.wrap_i64", op("i64.shr_u", state, i64(fields.phase)));
      const awaited = parity
        ? op("i32.and", load("i32.load", laneAt(given, lane)), i32(1))
        : phase(load("i64.load", wideLaneAt(given, lane)));
      return eachLane(
        names,
        mask,
        store(
          "i32.store",
          laneAt(destination, lane),
          op("i32.sub", i32(0), op("i32.ne", phase(load("i64.load", get(names.at))), awaited)),
        ),
      );
    },
  };
}

/** phase_pending(destination, states, mask): pending arrivals of a state. */
const pending: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], states = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    return [
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        store(
          "i32.store",
          laneAt(destination, get(lane)),
          op("i32.and", load("i32.load", wideLaneAt(states, get(lane))), i32(Number(countMask))),
        ),
      ),
    ];
  },
};

export const phaseBarrierLibrary: LibraryTable = {
  phase_init: init,
  phase_arrive: arrive,
  phase_expect: transact(false),
  phase_complete: transact(true),
  phase_test: test(false),
  phase_test_parity: test(true),
  phase_pending: pending,
};
