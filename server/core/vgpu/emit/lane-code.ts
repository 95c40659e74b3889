import { at } from "../../base/known";
import { invariant } from "../../base/assert";
import type { FunctionBuilder, LocalsState } from "../wasm/module";
import { get, type Wasm } from "../wasm/code";
import { laneFamilies } from "./lane-families";
import { groupLoads } from "./lane/memory/load-groups";
import type { KernelContext } from "./emitters/kernel-context";
import { LaneEmitter } from "./emitters/lane-emitter";
import { settle } from "./emitters/loose-nans";
import { emitWhole } from "../flatten/refusal";
import { rolesOf } from "../flatten/roles";
import type { Segment } from "../analyse/segments";

export type LaneSegment = Extract<Segment, { kind: "lanes" }>;

/** A register whose new value leaves the segment, and the locals that hold it. */
export interface KeptRegister {
  readonly register: number;
  readonly locals: readonly number[];
}

/**
 * Code of a lane segment for one group of four lanes. It writes locals only, so that it is the same whether
 * or not all lanes run.
 */
interface LaneCode {
  readonly code: Wasm;
  /** Locals with the addresses of the group in 32-bit and 64-bit registers. */
  readonly narrow: number;
  readonly wide: number;
  readonly kept: readonly KeptRegister[];
  /** Predicates to gather: the local with the bits of all lanes, and the one with the mask of this group. */
  readonly bits: readonly { readonly register: number; readonly local: number; readonly mask: number }[];
}

/** The function that the code is a part of. */
interface CodePlace {
  /** Linear address of the warp. */
  readonly warp: Wasm;
  /** Some lanes may be elsewhere. */
  readonly masked: boolean;
}

/**
 * Lane code of a kernel: generated for the first version of a block and used again in the other when it finds
 * the same locals.
 */
export class LaneCodes {
  private readonly known = new Map<
    LaneSegment,
    { readonly before: LocalsState; readonly after: LocalsState; readonly lanes: LaneCode }
  >();

  of(kernel: KernelContext, builder: FunctionBuilder, segment: LaneSegment, place: CodePlace): LaneCode {
    const groups = groupLoads(segment.instructions);
    // Which lanes load makes a difference.
    if (groups.size > 0) return generate(kernel, builder, segment, { ...place, groups });
    const known = this.known.get(segment);
    if (known && builder.isAt(known.before)) {
      builder.takeUp(known.after);
      return known.lanes;
    }
    const before = builder.save();
    const lanes = generate(kernel, builder, segment, { ...place, groups });
    this.known.set(segment, { before, after: builder.save(), lanes });
    return lanes;
  }
}

function generate(
  kernel: KernelContext,
  builder: FunctionBuilder,
  segment: LaneSegment,
  place: CodePlace & { readonly groups: ReturnType<typeof groupLoads> },
): LaneCode {
  const narrow = builder.local("i32");
  const wide = builder.local("i32");
  const lanes = new LaneEmitter(kernel, builder, { ...place, narrow: get(narrow), wide: get(wide) });
  const bits = [...segment.bits].map((register) => ({ register, local: builder.local("i32") }));
  for (const instruction of segment.instructions) {
    lanes.begin(instruction);
    // Lanes whose guard is false keep what they had; the others may get bits that are no arithmetic result.
    if (instruction.guard) for (const register of rolesOf(instruction).writes) settle(lanes, register);
    const emit = laneFamilies[instruction.matched.family];
    invariant(emit, `the family ${instruction.matched.family} has an emitter for lanes`);
    emitWhole(instruction, () => emit(lanes, instruction));
  }
  for (const register of segment.kept) settle(lanes, register);
  const kept = [...segment.kept].map((register) => ({ register, locals: lanes.localsOf(register) }));
  const masks = bits.map((each) => ({ ...each, mask: at(lanes.localsOf(each.register), 0) }));
  const code = lanes.code.taken();
  lanes.end();
  builder.release(narrow);
  builder.release(wide);
  return { code, narrow, wide, kept, bits: masks };
}
