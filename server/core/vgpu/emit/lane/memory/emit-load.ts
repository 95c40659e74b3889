import { mustGet } from "../../../../base/known";
import type { ProgramInstruction, ProgramOperand } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import { readsParameters } from "../../../flatten/roles";
import { warpLayout } from "../../../layout";
import { typeOf } from "../../../opcodes/table";
import { isWide, registerType, types } from "../../../ptx/types";
import { type Wasm, get, load as read, op, set, when } from "../../../wasm/code";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import {
  type MemorySite,
  siteRecord,
  spaceOf,
  usedElements,
  vectorElements,
} from "../../emitters/memory-site";
import type { LaneFamily } from "../emit-integer";
import { loadParameter } from "../emit-logic";
import { type Fetched, partsOfElement } from "./fetch";
import { checkGroup, fetchAlone, fetchMember, type LaneLoad } from "./lane-load";

/**
 * ld (PTX ISA section 9.7.9.8) from global, constant and shared memory, four lanes at a time. A group of
 * loads from one address is checked before its first. Where the four lanes' addresses are packed or equal, as
 * they nearly always are, the values are loaded as a whole.
 */
const loadFromMemory: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, address] = instruction.operands;
  if (address?.kind !== "address") return refuse(instruction, "the address is missing");
  const elements = vectorElements(d);
  for (const element of elements) refuseNarrow(lane, instruction, element);
  const space = spaceOf(instruction, address.base);
  const bytes = type.bytes * elements.length;
  const used = usedElements(elements, lane.kernel.used);
  const index = lane.kernel.addSite({ instruction, space, access: "load", bytes, used });
  const { groups, masked } = lane.segment;
  const one: LaneLoad = {
    group: mustGet(groups, instruction),
    shape: { type, count: elements.length },
    addresses: lane.read(
      instruction,
      address.base,
      isNarrow(lane, address.base, space) ? types.u32 : types.u64,
    ),
    offset: address.offset,
    bytes,
    space: space === "local" || space === "generic" ? space : "other",
    site: siteRecord(index),
    mask: maskOf(lane, masked),
  };
  const result = elements.map(() =>
    Array.from({ length: partsOfElement(one.shape) }, () => lane.locals.temporary("v128")),
  );
  const assign = ({ before, elements }: Fetched): Wasm => [
    before,
    elements.map((parts, index) => parts.map((part, half) => set(result[index]?.[half] ?? 0, part))),
  ];
  const isAlone = one.group.members === 1;
  if (!isAlone && one.group.first === instruction) checkGroup(lane, one);
  const code = isAlone ? fetchAlone(lane, one, assign) : fetchMember(lane, one, assign);
  // Of lanes that a guard leaves out there may be none, and then nothing is loaded.
  const { mask } = one;
  const isNeeded = instruction.guard && mask ? op("v128.any_true", mask) : undefined;
  lane.code.push(isNeeded ? when(isNeeded, code) : code);
  elements.forEach((element, index) =>
    lane.write(instruction, element, type, (result[index] ?? []).map(get)),
  );
};

/** Loads of the kernel's parameters, and those that `findLaneLoads` has found. */
export const load: LaneFamily = (lane, instruction) =>
  readsParameters(instruction) ? loadParameter(lane, instruction) : loadFromMemory(lane, instruction);

/** Addresses of shared memory have 32 bits, those of local memory what their register has. */
function isNarrow(lane: LaneEmitter, base: ProgramOperand, space: MemorySite["space"]): boolean {
  if (space !== "local") return space === "shared";
  return base.kind === "register" && !isWide(registerType(lane.kernel.registers, base.register));
}

function refuseNarrow(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  element: ProgramOperand | undefined,
): void {
  if (typeOf(instruction).bytes !== 8 || element?.kind !== "register") return;
  if (!isWide(registerType(lane.kernel.registers, element.register)))
    refuse(instruction, "64 bits into a smaller register");
}

/** The lanes that run an instruction of a block of which some lanes may be elsewhere. */
function maskOf(lane: LaneEmitter, masked: boolean): Wasm | undefined {
  const guard = lane.guard;
  if (!masked) return guard;
  const active = read("v128.load", lane.narrow, warpLayout.mask);
  return lane.keep(guard ? op("v128.and", active, guard) : active);
}
