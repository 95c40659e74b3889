import { at } from "../../../../../core/base/known";
import { fitExtent } from "../../../../../core/workload/probe/fit";
import { type Elements, elementOf } from "../../../../../core/workload/probe/judge-probe";
import type { KernelSpec, SizeExpression } from "../../../../../core/workload/spec";
import { inFreeSizes, placeOf, type TableRows } from "../arguments/argument-layout";
import type { ProbeResult } from "./probe-result";
import { guess, type ProbeFacts } from "./probed-tensors";

type Tensors = Pick<KernelSpec, "inputs" | "outputs">;

/** How many rows the tables of a kernel lead to, and how far one row lies behind the other. */
export function tableRows(
  { launch: { probes }, layout, elements, tied = new Map() }: ProbeResult,
  facts: ProbeFacts,
): ReadonlyMap<string, TableRows> {
  const pointed = layout.flatMap((argument) =>
    typeof argument !== "string" && argument.isPointed === true ? argument.fields : [],
  );
  const names = pointed.flatMap((field) => ("name" in field ? field.name : []));
  return new Map(
    names.flatMap((name) => {
      const seen = probes.observations.flatMap(
        ({ buffers }) => buffers.find((each) => each.name === name)?.rows ?? [],
      );
      if (seen.length < probes.observations.length) return [];
      const fit = (of: (rows: (typeof seen)[number]) => number): SizeExpression | undefined =>
        fitExtent(probes.settings.map((sizes, index) => ({ sizes, value: of(at(seen, index)) })));
      const count = fit((rows) => rows.count);
      const length = fit((rows) => rows.bytes / itemOf(elements, name));
      if (count === undefined || length === undefined)
        guess(
          facts,
          `launch.arguments.${placeOf(layout, name)}`,
          `no expression was found for how many rows ${name} has, or how long they are.`,
        );
      const [rows, row] = [inFreeSizes(count ?? 1, tied), inFreeSizes(length ?? 1, tied)];
      const factor = /^\w+$/.test(String(row)) ? row : `(${row})`;
      const stride = itemOf(elements, name) === 1 ? row : `${itemOf(elements, name)} * ${factor}`;
      return [[name, { count: rows, length: row, stride }] as const];
    }),
  );
}

/** Tensors of which those that are reached by tables have the number of rows first. */
export function rowsFirst({ inputs, outputs }: Tensors, rows: ReadonlyMap<string, TableRows>): Tensors {
  const turned = (tensors: Tensors["inputs"]): Tensors["inputs"] =>
    Object.fromEntries(
      Object.entries(tensors).map(([name, tensor]) => {
        const { count, length } = rows.get(name) ?? {};
        const [first, second, ...further] = tensor.shape;
        const isTurned = first === length && second === count && further.length === 0;
        return [name, isTurned && second !== undefined ? { ...tensor, shape: [second, first ?? 1] } : tensor];
      }),
    );
  return { inputs: turned(inputs), outputs: turned(outputs) };
}

function itemOf(elements: Elements, name: string): number {
  return elementOf(elements, name).itemBytes;
}
