import { atomicLibrary } from "./atomics";
import { reductionLibrary } from "./reductions";
import { type Wasm, choose, get, i32, load, op, set, store, when } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { type LibraryFunction, type LibraryTable, addressVector, wordLocals } from "../library";
import { forEachGroup } from "./warp";
import { forEachLane, laneAt } from "../lanes";

interface Locals {
  readonly rest: number;
  readonly group: number;
  readonly walk: number;
  readonly lane: number;
  readonly member: number;
}

function groupLocals(builder: FunctionBuilder): Locals {
  const local = (): number => builder.local("i32");
  return { rest: local(), group: local(), walk: local(), lane: local(), member: local() };
}

/** Stores a value in the lanes of the current group. */
function storeGroup(locals: Locals, destination: Wasm, value: Wasm): Wasm {
  return [
    set(locals.walk, get(locals.group)),
    forEachLane(locals.walk, locals.lane, store("i32.store", laneAt(destination, get(locals.lane)), value)),
  ];
}

/**
 * vote(destination, predicate bits, member masks, mask, mode): modes 0 all, 1 any, 2 uni, 3 ballot (PTX ISA
 * section 9.7.13.9). Lanes with different member masks vote in different groups.
 */
const vote: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], bits = [], masks = [], mask = [], mode = []] }) => {
    const locals = groupLocals(builder);
    const inGroup = op("i32.and", bits, get(locals.group));
    const all = op("i32.eq", inGroup, get(locals.group));
    const any = op("i32.ne", inGroup, i32(0));
    const uniform = op("i32.or", all, op("i32.eqz", inGroup));
    const answer = op(
      "i32.sub",
      i32(0),
      choose("i32", op("i32.eqz", mode), all, op("select", uniform, any, op("i32.eq", mode, i32(2)))),
    );
    const result = builder.local("i32");
    return forEachGroup(locals, masks, mask, [
      set(result, choose("i32", op("i32.eq", mode, i32(3)), inGroup, answer)),
      storeGroup(locals, destination, get(result)),
    ]);
  },
};

/**
 * match_any(destination, values, member masks, mask): the lanes of the group with the same value (PTX ISA
 * section 9.7.13.10).
 */
function matchAny(wide: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters: [destination = [], values = [], masks = [], mask = []] }) => {
      const { outer, lane, inner, other, found } = wordLocals(
        builder,
        "outer",
        "lane",
        "inner",
        "other",
        "found",
      );
      const same = op(
        "i32.and",
        equalLanes(values, get(lane), get(other), wide),
        op("i32.eq", load("i32.load", laneAt(masks, get(lane))), load("i32.load", laneAt(masks, get(other)))),
      );
      return [
        set(outer, mask),
        forEachLane(outer, lane, [
          set(found, i32(0)),
          set(inner, mask),
          forEachLane(inner, other, set(found, op("i32.or", get(found), op("i32.shl", same, get(other))))),
          store("i32.store", laneAt(addressVector, get(lane)), get(found)),
        ]),
        set(outer, mask),
        forEachLane(
          outer,
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
}

function equalLanes(values: Wasm, first: Wasm, second: Wasm, wide: boolean): Wasm {
  const at = (lane: Wasm): Wasm => op("i32.add", values, op("i32.shl", lane, i32(wide ? 3 : 2)));
  return wide
    ? op("i64.eq", load("i64.load", at(first)), load("i64.load", at(second)))
    : op("i32.eq", load("i32.load", at(first)), load("i32.load", at(second)));
}

/**
 * match_all(destination, predicate, values, member masks, mask): the group's lanes if all have the same
 * value, else 0.
 */
function matchAll(wide: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
    build: ({
      builder,
      parameters: [destination = [], predicate = [], values = [], masks = [], mask = []],
    }) => {
      const locals = groupLocals(builder);
      const same = builder.local("i32");
      const first = builder.local("i32");
      return forEachGroup(locals, masks, mask, [
        set(same, i32(-1)),
        set(first, op("i32.ctz", get(locals.group))),
        set(locals.walk, get(locals.group)),
        forEachLane(
          locals.walk,
          locals.lane,
          when(op("i32.eqz", equalLanes(values, get(first), get(locals.lane), wide)), set(same, i32(0))),
        ),
        storeGroup(locals, destination, op("i32.and", get(same), get(locals.group))),
        storeGroup(locals, predicate, get(same)),
      ]);
    },
  };
}

interface Combination {
  /** What a lane that takes no part would add. */
  readonly start: number;
  readonly combine: (left: Wasm, right: Wasm) => Wasm;
}

const combinations: Readonly<Record<string, Combination>> = {
  add: { start: 0, combine: (left, right) => op("i32.add", left, right) },
  and: { start: -1, combine: (left, right) => op("i32.and", left, right) },
  or: { start: 0, combine: (left, right) => op("i32.or", left, right) },
  xor: { start: 0, combine: (left, right) => op("i32.xor", left, right) },
  min_u: { start: -1, combine: (left, right) => op("select", left, right, op("i32.lt_u", left, right)) },
  max_u: { start: 0, combine: (left, right) => op("select", left, right, op("i32.gt_u", left, right)) },
  min_s: {
    start: 0x7fff_ffff,
    combine: (left, right) => op("select", left, right, op("i32.lt_s", left, right)),
  },
  max_s: {
    start: 0x8000_0000 | 0,
    combine: (left, right) => op("select", left, right, op("i32.gt_s", left, right)),
  },
};

/** redux_OPERATION(destination, values, member masks, mask): PTX ISA section 9.7.13.12. */
function reduce({ start, combine }: Combination): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters: [destination = [], values = [], masks = [], mask = []] }) => {
      const locals = groupLocals(builder);
      const total = builder.local("i32");
      return forEachGroup(locals, masks, mask, [
        set(total, i32(start)),
        set(locals.walk, get(locals.group)),
        forEachLane(
          locals.walk,
          locals.lane,
          set(total, combine(get(total), load("i32.load", laneAt(values, get(locals.lane))))),
        ),
        storeGroup(locals, destination, get(total)),
      ]);
    },
  };
}

/** fill_lanes(destination, value, mask): sets the lanes to one value. */
const fillLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], value = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    return [
      set(rest, mask),
      forEachLane(rest, lane, store("i32.store", laneAt(destination, get(lane)), value)),
    ];
  },
};

/**
 * elect(destination, predicate, member masks, mask): the lowest lane of the group is the leader (PTX ISA
 * section 9.7.13.14).
 */
const elect: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], predicate = [], masks = [], mask = []] }) => {
    const locals = groupLocals(builder);
    const leader = builder.local("i32");
    return forEachGroup(locals, masks, mask, [
      set(leader, op("i32.ctz", get(locals.group))),
      storeGroup(locals, destination, get(leader)),
      storeGroup(locals, predicate, op("i32.sub", i32(0), op("i32.eq", get(locals.lane), get(leader)))),
    ]);
  },
};

export const collectiveLibrary: LibraryTable = {
  vote,
  elect,
  match_any_32: matchAny(false),
  match_any_64: matchAny(true),
  match_all_32: matchAll(false),
  match_all_64: matchAll(true),
  fill_lanes: fillLanes,
  ...Object.fromEntries(
    Object.entries(combinations).map(([name, combination]) => [`redux_${name}`, reduce(combination)]),
  ),
  ...atomicLibrary,
  ...reductionLibrary,
};
