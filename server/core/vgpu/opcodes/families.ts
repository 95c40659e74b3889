import table from "./table.json";

/** Families that run lane by lane, four lanes at a time, without touching memory or other lanes. */
export type LaneFamilyName = keyof typeof table.families.lanes;
/** Families that run once for a whole warp, under a mask of lanes. */
export type WarpFamilyName = keyof typeof table.families.warp;
/** Families that end a block of code. */
type ControlFamilyName = keyof typeof table.families.control;

/** Instructions that are emitted alike: the union of what stands in `families` of table.json. */
export type Family = LaneFamilyName | WarpFamilyName | ControlFamilyName;

/** What holds for all instructions of a family. It stands in table.json and nowhere else. */
export interface Traits {
  readonly runs: "lanes" | "warp" | "control";
  /** What it occupies on the GPU: a class, or a rule that finds the class by the type (`classes.ts`). */
  readonly class: string;
  /** Floating-point operations of each number. */
  readonly operations: number | undefined;
  /** The first operand is what it writes. */
  readonly result: boolean;
  /** It reads what it writes as well. */
  readonly accumulates: boolean;
  /** Memory that each lane accesses at an address of its own: read, written, both, or copied. */
  readonly access: "load" | "store" | "update" | "copy" | undefined;
  /**
   * It can see what another thread did meanwhile (PTX ISA section 8.2): always, when something reads its
   * result, or when it may not be taken out of a loop.
   */
  readonly observes: "always" | "result" | "ordered" | undefined;
  /**
   * It waits for other lanes of its warp: to exchange values with those of a member mask, to order memory
   * among them, or because only a whole warp can run it.
   */
  readonly gathers: "exchange" | "order" | "whole-warp" | undefined;
  /** Orders memory: a fence, or a group of asynchronous copies. */
  readonly orders: "fence" | "copies" | undefined;
  /** What it does to a barrier object in memory (PTX ISA section 9.7.13.15). */
  readonly phase: "change" | "arrive" | "wait" | "copies" | undefined;
  /** How it reaches memory: by another way than ordinary accesses (PTX ISA section 8.6). */
  readonly proxy: "async" | undefined;
  /** It asks the host, which answers in the order of the blocks and on one thread. */
  readonly asksHost: boolean;
  /** Where control goes; `enter` and `leave` are what a call of a function with code of its own becomes. */
  readonly flow:
    | "branch"
    | "table"
    | "barrier"
    | "call"
    | "enter"
    | "leave"
    | "return"
    | "exit"
    | "trap"
    | undefined;
}

/** A family as it stands in table.json: what does not hold is left out, and most have a result. */
type WrittenTraits = Pick<Traits, "class"> & Partial<Omit<Traits, "runs" | "class">>;

/**
 * Each with all fields in one order: whoever compiles an instruction asks for them, and the engine underneath
 * finds them fastest in objects of one shape.
 */
function complete(runs: Traits["runs"], written: Readonly<Record<string, object>>): [string, Traits][] {
  return Object.entries(written as Readonly<Record<string, WrittenTraits>>).map(([family, each]) => [
    family,
    {
      runs,
      class: each.class,
      operations: each.operations,
      result: each.result ?? true,
      accumulates: each.accumulates ?? false,
      access: each.access,
      observes: each.observes,
      gathers: each.gathers,
      orders: each.orders,
      phase: each.phase,
      proxy: each.proxy,
      asksHost: each.asksHost ?? false,
      flow: each.flow,
    },
  ]);
}

/** The traits of each family. */
export const traitsOf = Object.fromEntries([
  ...complete("lanes", table.families.lanes),
  ...complete("warp", table.families.warp),
  ...complete("control", table.families.control),
]) as Readonly<Record<Family, Traits>>;
