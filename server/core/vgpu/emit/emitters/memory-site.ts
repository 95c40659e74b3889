import { siteLayout } from "../../layout";
import { globals } from "../../library/library";
import { isClusterSpace, isParameterSpace, isSharedSpace } from "../../ptx/spaces";
import { type Wasm, getGlobal, i32, op } from "../../wasm/code";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";

/** One memory instruction: what the host needs to know to check and to name it. */
export interface MemorySite {
  readonly instruction: ProgramInstruction;
  readonly space: "global" | "shared" | "local" | "param" | "generic";
  readonly access: "load" | "store" | "atomic";
  /** Bytes that one lane touches. */
  readonly bytes: number;
  /** Of a load's elements: whether their values are used for more than being stored on. */
  readonly used?: readonly boolean[] | undefined;
}

/** Space of an access: the one in the name, or that of a variable that is named as the address. */
export function spaceOf(instruction: ProgramInstruction, base: ProgramOperand): MemorySite["space"] {
  const named = instruction.matched.modifiers["space"];
  if (base.kind === "place" && (base.space === "local" || base.space === "param")) return "local";
  if (named === undefined || isClusterSpace(named)) return "generic";
  if (isSharedSpace(named)) return "shared";
  if (named === "const" || named === "global") return "global";
  if (named === "local") return "local";
  return isParameterSpace(named) ? "param" : refuse(instruction, `the space ${named}`);
}

/** The registers of a vector, or the one operand that there is. */
export function vectorElements(operand: ProgramOperand | undefined): readonly (ProgramOperand | undefined)[] {
  return operand?.kind === "vector" ? operand.elements : [operand];
}

/** Of each element that a load writes: whether its value is used for more than being stored on. */
export function usedElements(
  elements: readonly (ProgramOperand | undefined)[],
  used: ReadonlySet<number>,
): readonly boolean[] {
  return elements.map((element) => element?.kind === "register" && used.has(element.register));
}

/** Linear address of the record of a memory instruction, by the number that `addSite` gave. */
export function siteRecord(index: number): Wasm {
  return op("i32.add", getGlobal(globals.sites), i32(index * siteLayout.size));
}
