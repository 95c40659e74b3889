import { partsOf } from "../../../../language/query";
import { indentOf, replaceNode, type TextEdit } from "../../edits";
import { statementOf, type TritonView } from "../kernel";
import { constexprOf } from "../spread/programs";
import type { FlatLoad } from "./flat-index";

/** Loads from another place each, which is worked out from the one that they had. */
export function placedEdits(
  { source }: TritonView,
  { parameter }: { readonly parameter: string },
  flat: readonly FlatLoad[],
  placeOf: (at: string) => string,
): readonly TextEdit[] {
  return flat.flatMap(({ address, place }, number) => {
    const at = `${parameter}_at${number === 0 ? "" : number + 1}`;
    const { startIndex } = statementOf(address);
    const lines = [`${at} = ${place}`, `${at} = ${placeOf(at)}`, ""];
    const text = lines.join(`\n${indentOf(source, { startIndex })}`);
    return [{ start: startIndex, end: startIndex, text }, replaceNode(address, `${parameter} + ${at}`)];
  });
}

/** A constant of the compiler that a kernel gets. */
export interface Constant {
  readonly name: string;
  /** What the launch passes. */
  readonly value: string;
}

/** Constants of the compiler that the launch passes by name, behind all other parameters. */
export function newConstants(view: TritonView, constants: readonly Constant[]): readonly TextEdit[] {
  const { definition, launch, source } = view;
  const last = partsOf(definition.childForFieldName("parameters")).at(-1);
  const passed = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (last === undefined || passed === undefined) return [];
  const hasDefault = last.childForFieldName("value") !== null;
  const declared = constants.map(({ name }) => `${name}: ${constexprOf(view)}${hasDefault ? " = 1" : ""}`);
  const given = constants.map(({ name, value }) => `${name}=${value}`);
  return [
    { node: last, texts: declared, indent: indentOf(source, definition) },
    { node: passed, texts: given, indent: indentOf(source, launch.call) },
  ].map(({ node, texts, indent }) => {
    const separator = constants.length > 2 ? `,\n${indent}    ` : ", ";
    return { start: node.endIndex, end: node.endIndex, text: separator + texts.join(separator) };
  });
}
