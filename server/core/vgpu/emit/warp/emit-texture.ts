import { typeOf } from "../../opcodes/table";
import { siteLayout } from "../../layout";
import { accessKinds } from "../../library/counting/site-counters";
import { infoBits } from "../../library/races/race-words";
import { types } from "../../ptx/types";
import { type Wasm, call, get, i32, i64, op, set, when } from "../../wasm/code";
import { emitConfirm, emitScatter, emitWatch } from "./emit-detectors";
import type { WarpFamily, WarpFamilies } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { geometryTraits } from "../../memory/images";
import type { MemorySite } from "../emitters/memory-site";
import { WarpEmitter } from "../emitters/warp-emitter";

/** `[handle, {x, y, z}]`, or `[handle]` alone. */
interface Addressed {
  readonly handle: ProgramOperand | undefined;
  readonly coordinates: readonly ProgramOperand[];
}

function registersOf(list: ProgramOperand | undefined): readonly ProgramOperand[] {
  if (list?.kind === "vector") return list.elements;
  return list ? [list] : [];
}

function addressed(instruction: ProgramInstruction, operand: ProgramOperand | undefined): Addressed {
  if (operand?.kind !== "address") return refuse(instruction, "the object is missing");
  if (operand.base.kind !== "list") return { handle: operand.base, coordinates: [] };
  const [handle, list] = operand.base.elements;
  if (operand.base.elements.length > 2) return refuse(instruction, "a sampler of its own");
  return { handle, coordinates: registersOf(list) };
}

/**
 * Linear addresses of the handles and of three coordinates, 0 for those that the geometry lacks: all of them
 * for a query, which names none. The instruction may have one coordinate more, which means nothing (PTX ISA
 * section 9.7.10.3).
 */
function sources(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): readonly Wasm[] {
  const { handle, coordinates } = addressed(instruction, operand);
  const { geometry } = instruction.matched.modifiers;
  const { axes, isLayered } =
    geometry === undefined ? { axes: 0, isLayered: false } : geometryTraits[geometry];
  // Surfaces count in bytes and rows.
  const type = instruction.matched.types.coordinates ?? types.s32;
  const count = axes + (isLayered ? 1 : 0);
  if (coordinates.length < count) return refuse(instruction, "a coordinate is missing");
  const place = (at: number): Wasm => {
    if (at >= count) return i32(0);
    const isLayer = isLayered && at === 0;
    return warp.source(instruction, coordinates[at], isLayer ? types.b32 : type);
  };
  return [warp.source(instruction, handle, types.u64), place(0), place(1), place(2)];
}

/** Operands of `tex`: the level, or two gradients, which do not matter for what has one level. */
const operandCounts: Readonly<Record<string, number>> = { level: 3, grad: 4 };

/**
 * tex and tld4 (PTX ISA sections 9.7.10.3 and 9.7.10.4) on texture objects. The host samples; for the
 * counters and the detectors each lane reads the texel nearest to its coordinates.
 */
const fetch: WarpFamily = (warp, instruction, mask) => {
  const { kernel } = warp;
  const { level = "" } = instruction.matched.modifiers;
  const [result, texture] = instruction.operands;
  if (result?.kind !== "vector" || result.elements.length !== 4)
    return refuse(instruction, "the result is no vector of four");
  if (instruction.operands.length !== (operandCounts[level] ?? 2))
    return refuse(instruction, "offsets or a depth to compare with");
  const targets = result.elements.map((element) =>
    warp.isWideRegister(element)
      ? refuse(instruction, "a register of another size")
      : warp.target(instruction, element),
  );
  const index = kernel.addSite({ instruction, space: "global", access: "load", bytes: 4 });
  const fetched = call(
    kernel.importOf("texture"),
    warp.warp,
    i32(index),
    mask,
    ...sources(warp, instruction, texture),
    ...targets,
  );
  if (!kernel.counters && !kernel.detectors) return warp.push(fetched, op("drop"));
  const both = warp.builder.local("i64");
  warp.push(set(both, fetched));
  const lanes = warp.keep(op("i32.wrap_i64", get(both)));
  const bytes = op("i32.wrap_i64", op("i64.shr_u", get(both), i64(32n)));
  if (kernel.counters)
    warp.push(
      warp.call("count_global", warp.siteAt(index, siteLayout.size), bytes, lanes, i32(accessKinds.load)),
    );
  if (kernel.detectors)
    warp.push(
      when(
        lanes,
        warp.call("race_read_lanes", warp.warp, bytes, lanes, lanes, i32(Math.min(index, infoBits.siteMask))),
      ),
    );
};

/** txq and suq (PTX ISA sections 9.7.10.5 and 9.7.11.4): what an object is like. */
const query: WarpFamily = (warp, instruction, mask) => {
  const [result, object] = instruction.operands;
  if (warp.isWideRegister(result)) return refuse(instruction, "a register of another size");
  const index = warp.kernel.addSite({ instruction, space: "global", access: "load", bytes: 0 });
  const nowhere = warp.target(instruction, { kind: "sink" });
  warp.push(
    call(
      warp.kernel.importOf("texture"),
      warp.warp,
      i32(index),
      mask,
      ...sources(warp, instruction, object),
      warp.target(instruction, result),
      nowhere,
      nowhere,
      nowhere,
    ),
    op("drop"),
  );
};

/** A surface instruction's parts: its elements, and how many bytes each has. */
function elementsOf(
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): { readonly elements: readonly (ProgramOperand | undefined)[]; readonly size: number } {
  const { vector } = instruction.matched.modifiers;
  const elements = operand?.kind === "vector" ? operand.elements : [operand];
  if (elements.length !== Number(vector?.slice(1) ?? 1))
    return refuse(instruction, "another number of elements");
  return { elements, size: typeOf(instruction).bytes };
}

interface SurfaceAccess {
  readonly instruction: ProgramInstruction;
  readonly surface: ProgramOperand | undefined;
  readonly access: "load" | "store";
  readonly bytes: number;
  readonly mask: Wasm;
  readonly used?: MemorySite["used"];
}

/**
 * Emits the search for the lanes' places, which the scratch vector holds afterwards, and for those that touch
 * the surface `inside`: first what counters and detectors do with an access, then what `body` emits.
 */
function emitSurface(
  warp: WarpEmitter,
  { instruction, surface, access, bytes, mask, used }: SurfaceAccess,
  body: (inner: WarpEmitter, inside: Wasm, conflict: ReturnType<typeof emitWatch>) => void,
): void {
  const index = warp.kernel.addSite({ instruction, space: "global", access, bytes, used });
  const site = warp.keep(warp.siteAt(index, siteLayout.size));
  const inside = warp.keep(
    call(
      warp.kernel.importOf("surface"),
      warp.warp,
      i32(index),
      mask,
      ...sources(warp, instruction, surface),
    ),
  );
  const inner = new WarpEmitter(warp.kernel, warp.builder, warp.warp, warp.active);
  inner.watch({ site, space: "global", access, bytes, mask: inside });
  const watched = {
    instruction,
    space: "global",
    access,
    bytes,
    index,
    site,
    base: i32(0),
    mask: inside,
    how: access === "store" ? "values" : undefined,
  } as const;
  body(inner, inside, warp.kernel.detectors ? emitWatch(inner, watched) : undefined);
  warp.push(when(inside, inner.code));
}

/**
 * suld.b (PTX ISA section 9.7.11.1): unformatted loads; what lies outside is 0 where the boundary mode says
 * so.
 */
const surfaceLoad: WarpFamily = (warp, instruction, mask) => {
  const [result, surface] = instruction.operands;
  const { elements, size } = elementsOf(instruction, result);
  const used = elements.map(
    (element) => element?.kind === "register" && warp.kernel.used.has(element.register),
  );
  emitSurface(
    warp,
    { instruction, surface, access: "load", bytes: size * elements.length, mask, used },
    () => undefined,
  );
  elements.forEach((element, index) => {
    if (element?.kind === "sink") return;
    if (warp.isWideRegister(element) !== (size === 8))
      return refuse(instruction, "a register of another size");
    const name = size < 4 ? `gather_u${8 * size}` : `gather_${8 * size}`;
    warp.push(warp.call(name, warp.target(instruction, element), i32(0), i32(size * index), mask));
  });
};

/** sust.b (PTX ISA section 9.7.11.2): unformatted stores. */
const surfaceStore: WarpFamily = (warp, instruction, mask) => {
  const [surface, value] = instruction.operands;
  const { elements, size } = elementsOf(instruction, value);
  const type = typeOf(instruction);
  emitSurface(
    warp,
    { instruction, surface, access: "store", bytes: size * elements.length, mask },
    (inner, inside, conflict) => {
      elements.forEach((element, index) => {
        if (element?.kind === "register" && inner.isWideRegister(element) !== (size === 8))
          return refuse(instruction, "a register of another size");
        const source = inner.source(
          instruction,
          element,
          element?.kind === "register" && size < 4 ? types.b32 : type,
        );
        emitScatter(inner, conflict, `scatter_${8 * size}`, {
          source,
          base: i32(0),
          element: size * index,
          mask: inside,
        });
      });
      emitConfirm(inner, conflict);
    },
  );
};

export const textureFamilies = {
  "texture-fetch": fetch,
  "texture-query": query,
  "surface-load": surfaceLoad,
  "surface-store": surfaceStore,
} as const satisfies WarpFamilies;
