import { localValues } from "../../../../language/cuda/body/scope";
import { collapse, fieldText } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import type { BitFunction } from "./bit-functions";
import { type WholeType, wholeType } from "./whole-numbers";

/** Code that makes of a number's bits what an instruction makes of them. */
export interface BitWork {
  /** The function or the loop. */
  readonly node: SyntaxNode;
  readonly words: string;
  /** The instruction, as it is written. */
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** The instruction for a number of as many bits. */
export function writtenOf({ short, long }: BitFunction, bits: number, number: string): string {
  return (bits === 64 ? long : short).replace("(x)", `(${number})`).replace("(x,", `(${number},`);
}

/** What parentheses hold. */
export function bare(text: string): string {
  return text.startsWith("(") ? text.slice(1, -1) : text;
}

/** The type of a variable of whole numbers that the kernel declares once, or is given. */
export function variableType({ body, kernel }: KernelView, name: string): WholeType | undefined {
  const declared = body
    .descendantsOfType("declaration")
    .filter((node) =>
      node
        .childrenForFieldName("declarator")
        .some((each) => (each.childForFieldName("declarator") ?? each).text === name),
    );
  const parameter = kernel.facts.parameters.find((each) => each.name === name && !each.pointer);
  const [own, ...others] = [
    ...declared.map((node) => fieldText(node, "type")),
    ...(parameter === undefined ? [] : [parameter.type]),
  ];
  return own === undefined || others.length > 0 ? undefined : wholeType(collapse(own));
}

/** True where a variable is declared with zero right in front of a statement. */
export function isZeroBefore({ body }: KernelView, name: string, statement: SyntaxNode): boolean {
  const own = localValues(body).find((local) => local.name === name);
  let before = statement.previousNamedSibling;
  while (before !== null && /^(?:comment|preproc_call|declaration)$/.test(before.type)) {
    if (before.id === own?.declaration.id) return /^0[uUlL]*$/.test(own.value.text);
    before = before.previousNamedSibling;
  }
  return false;
}
