import { warpLayout } from "../../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  get,
  i32,
  load,
  loop,
  op,
  set,
  store,
  when,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { type LibraryFunction, type LibraryTable, addressVector, wordLocals } from "../library";
import { forEachLane, laneAt } from "../lanes";

/** lane_bits(register): a predicate register as a bit mask. */
const laneBits: LibraryFunction = {
  signature: { parameters: ["i32"], results: ["i32"] },
  build: ({ parameters: [register = []] }) =>
    Array.from({ length: 8 }, (_, chunk) =>
      op("i32.shl", op("i32x4.bitmask", load("v128.load", register, 16 * chunk)), i32(4 * chunk)),
    ).reduce((left, right) => op("i32.or", left, right)),
};

/** Runs `body` for each distinct member mask of the active lanes, with the lanes that use it in `group`. */
export function forEachGroup(
  locals: { rest: number; group: number; walk: number; lane: number; member: number },
  masks: Wasm,
  mask: Wasm,
  body: Wasm,
): Wasm {
  const { rest, group, walk, lane, member } = locals;
  return [
    set(rest, mask),
    block(
      loop(
        branchIf(1, op("i32.eqz", get(rest))),
        set(member, load("i32.load", laneAt(masks, op("i32.ctz", get(rest))))),
        set(group, i32(0)),
        set(walk, get(rest)),
        forEachLane(
          walk,
          lane,
          when(
            op("i32.eq", load("i32.load", laneAt(masks, get(lane))), get(member)),
            set(group, op("i32.or", get(group), op("i32.shl", i32(1), get(lane)))),
          ),
        ),
        body,
        set(rest, op("i32.and", get(rest), op("i32.xor", get(group), i32(-1)))),
        branch(0),
      ),
    ),
  ];
}

/** Locals of a shuffle, for one lane. */
interface ShuffleLocals {
  readonly lane: number;
  /** Fields of operand c (PTX ISA: segmask and cval), and the bound that the manual calls maxLane. */
  readonly segment: number;
  readonly control: number;
  readonly most: number;
  /** The source lane, whether it is in bounds, and operand b. */
  readonly from: number;
  readonly inside: number;
  readonly amount: number;
}

/** Sets `from` and `inside` for a lane. Modes: 0 up, 1 down, 2 bfly, 3 idx. */
function chooseSource(
  locals: ShuffleLocals,
  { b, c, mode }: Readonly<Record<"b" | "c" | "mode", Wasm>>,
): Wasm {
  const { lane, segment, control, most, from, inside, amount } = locals;
  const isMode = (value: number): Wasm => op("i32.eq", mode, i32(value));
  const pick = (condition: Wasm, then: Wasm, otherwise: Wasm): Wasm =>
    op("select", then, otherwise, condition);
  const outsideSegment = op("i32.xor", get(segment), i32(-1));
  const least = op("i32.and", get(lane), get(segment));
  const up = op("i32.sub", get(lane), get(amount));
  const down = op("i32.add", get(lane), get(amount));
  const butterfly = op("i32.xor", get(lane), get(amount));
  const index = op("i32.or", least, op("i32.and", get(amount), outsideSegment));
  return [
    set(control, load("i32.load", laneAt(c, get(lane)))),
    set(amount, op("i32.and", load("i32.load", laneAt(b, get(lane))), i32(31))),
    set(segment, op("i32.and", op("i32.shr_u", get(control), i32(8)), i32(31))),
    set(control, op("i32.and", get(control), i32(31))),
    set(most, op("i32.or", least, op("i32.and", get(control), outsideSegment))),
    set(from, pick(isMode(0), up, pick(isMode(1), down, pick(isMode(2), butterfly, index)))),
    set(inside, pick(isMode(0), op("i32.ge_s", get(from), get(most)), op("i32.le_s", get(from), get(most)))),
  ];
}

/** Locals of a walk over the lanes of a shuffle. */
function shuffleLocals(builder: FunctionBuilder): ShuffleLocals & { readonly rest: number } {
  return wordLocals(builder, "lane", "rest", "control", "segment", "most", "from", "inside", "amount");
}

/** True where the mask lacks the source lane. */
function isAbsent(mask: Wasm, { from }: ShuffleLocals): Wasm {
  return op("i32.eqz", op("i32.and", op("i32.shr_u", mask, get(from)), i32(1)));
}

/**
 * shuffle(destination, predicate, source, b, c, mask, mode): PTX ISA section 9.7.9.6 (shfl.sync). The bound
 * is checked on whole lane numbers, as in the manual's pseudo-code. A source lane that has exited or is
 * inactive gives an undefined value: here the lane's own.
 */
const shuffleLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters }) => {
    const [destination = [], predicate = [], source = [], b = [], c = [], mask = [], mode = []] = parameters;
    const locals = shuffleLocals(builder);
    const { lane, rest, from, inside } = locals;
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        chooseSource(locals, { b, c, mode }),
        when(op("i32.eqz", get(inside)), set(from, get(lane))),
        when(isAbsent(mask, locals), set(from, get(lane))),
        store("i32.store", laneAt(addressVector, get(lane)), load("i32.load", laneAt(source, get(from)))),
        store("i32.store", laneAt(predicate, get(lane)), op("i32.sub", i32(0), get(inside))),
      ]),
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        store(
          "i32.store",
          laneAt(destination, get(lane)),
          load("i32.load", laneAt(addressVector, get(lane))),
        ),
      ),
    ];
  },
};

/**
 * shuffle_undefined(warp, site, b, c, mask, mode): tells the host's `absent` of each lane that reads from a
 * lane which does not take part.
 */
const shuffleUndefined: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters }) => {
    const [warp = [], site = [], b = [], c = [], mask = [], mode = []] = parameters;
    const locals = shuffleLocals(builder);
    const { lane, rest, from, inside } = locals;
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        chooseSource(locals, { b, c, mode }),
        when(
          op("i32.and", get(inside), isAbsent(mask, locals)),
          call(imported("absent"), warp, site, get(lane), get(from)),
        ),
      ]),
    ];
  },
};

/**
 * gather_ready(warp, member masks): 1 when every live lane in the member mask of an active lane is active too
 * (PTX ISA section 9.7.13, `membermask`); else the active lanes wait for the others.
 */
const gatherReady: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [warp = [], masks = []] }) => {
    const { lane, rest, wanted } = wordLocals(builder, "lane", "rest", "wanted");
    const active = load("i32.load", warp, warpLayout.active);
    return [
      set(rest, active),
      set(wanted, i32(0)),
      forEachLane(
        rest,
        lane,
        set(wanted, op("i32.or", get(wanted), load("i32.load", laneAt(masks, get(lane))))),
      ),
      op(
        "i32.eqz",
        op(
          "i32.and",
          op("i32.and", get(wanted), load("i32.load", warp, warpLayout.live)),
          op("i32.xor", active, i32(-1)),
        ),
      ),
    ];
  },
};

/** lanes_outside(active lanes, member masks): the active lanes that are not in their own mask. */
const lanesOutside: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [active = [], masks = []] }) => {
    const { lane, rest, outside } = wordLocals(builder, "lane", "rest", "outside");
    const itself = op(
      "i32.and",
      op("i32.shr_u", load("i32.load", laneAt(masks, get(lane))), get(lane)),
      i32(1),
    );
    return [
      set(rest, active),
      set(outside, i32(0)),
      forEachLane(
        rest,
        lane,
        when(
          op("i32.eqz", itself),
          set(outside, op("i32.or", get(outside), op("i32.shl", i32(1), get(lane)))),
        ),
      ),
      get(outside),
    ];
  },
};

export const warpLibrary: LibraryTable = {
  lane_bits: laneBits,
  shuffle: shuffleLanes,
  shuffle_undefined: shuffleUndefined,
  gather_ready: gatherReady,
  lanes_outside: lanesOutside,
};
