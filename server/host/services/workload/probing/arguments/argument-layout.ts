import type { PlainProbeArgument, ProbeArgument } from "../../../../../core/ports/prober";
import type { Setting, TiedSizes } from "../../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type {
  ArgumentSpec,
  DataType,
  SizeExpression,
  StructureField,
} from "../../../../../core/workload/spec";
import type { PlannedArgument } from "./planned-argument";

/** A field of a structure: a planned argument by its name, or a number that follows from sizes. */
type LaidField =
  | { readonly at: number; readonly name: string }
  | { readonly at: number; readonly value: SizeExpression; readonly dtype: DataType };

/** One argument of a kernel: a planned one, or a structure that holds several. */
export type LaidArgument = string | LaidStructure;

/** A structure by value; a pointed one stands as often in the memory of the GPU as its rows are read. */
interface LaidStructure {
  readonly name: string;
  readonly byteLength: number;
  readonly fields: readonly LaidField[];
  readonly isPointed?: true;
}

/** What is known of the rows that a table leads to; `stride`: bytes from one to the next. */
export interface TableRows {
  readonly count: SizeExpression;
  readonly length: SizeExpression;
  readonly stride: SizeExpression;
}

/** Where each planned argument stands in what the kernel takes, in order. */
export type ArgumentLayout = readonly LaidArgument[];

/** Each planned argument is an argument of its own. */
export function plainLayout(planned: readonly PlannedArgument[]): ArgumentLayout {
  return planned.map(({ name }) => name);
}

/** The arguments of a probe under a setting. */
export function probeArguments(
  layout: ArgumentLayout,
  sizes: Setting,
  plain: (name: string) => PlainProbeArgument,
): readonly ProbeArgument[] {
  return layout.map((argument): ProbeArgument => {
    if (typeof argument === "string") return plain(argument);
    const { byteLength, fields, isPointed = false } = argument;
    return {
      kind: "structure",
      ...{ byteLength, isPointed },
      fields: fields.map((field) => ({
        at: field.at,
        argument: "name" in field ? plain(field.name) : numberOf(field, sizes),
      })),
    };
  });
}

function numberOf(
  { value, dtype }: { readonly value: SizeExpression; readonly dtype: DataType },
  sizes: Setting,
): PlainProbeArgument {
  const outcome = evaluateSizeExpression(value, sizes);
  return { kind: "scalar", value: outcome.ok ? outcome.value : 1, dtype };
}

/** The arguments of the launch in a spec. `tied`: sizes that others tell. */
export function specArguments(
  layout: ArgumentLayout,
  planned: readonly PlannedArgument[],
  tied: TiedSizes = new Map(),
  rows: ReadonlyMap<string, TableRows> = new Map(),
): readonly ArgumentSpec[] {
  const byName = new Map(planned.map((each) => [each.name, each]));
  const scalar = (name: string): { readonly value: SizeExpression; readonly dtype: DataType } | undefined => {
    const each = byName.get(name);
    if (each === undefined || each.kind === "buffer") return undefined;
    if (each.kind === "value") return { value: each.of ?? each.value, dtype: each.dtype };
    return { value: tied.get(name) ?? name, dtype: each.dtype };
  };
  return layout.map((argument): ArgumentSpec => {
    if (typeof argument === "string") return scalar(argument) ?? argument;
    const { byteLength, fields, isPointed } = argument;
    const [table] = fields.flatMap((field) => ("name" in field ? (rows.get(field.name) ?? []) : []));
    return {
      ...((table ?? isPointed) && { count: table?.count ?? 1 }),
      byteLength,
      fields: fields.map((field): StructureField => {
        if ("value" in field) return field;
        const { at, name } = field;
        const number = scalar(name);
        if (number !== undefined) return { at, ...number };
        const stride = rows.get(name)?.stride;
        return { at, buffer: name, ...(stride !== undefined && { stride }) };
      }),
    };
  });
}

/** The layout with a number in place of a size. */
export function withNumber(layout: ArgumentLayout, name: string, value: number): ArgumentLayout {
  const word = new RegExp(`\\b${name}\\b`, "g");
  return layout.map((argument) => {
    if (typeof argument === "string") return argument;
    const fields = argument.fields.map((field) =>
      "value" in field ? { ...field, value: plain(String(field.value).replace(word, String(value))) } : field,
    );
    return { ...argument, fields };
  });
}

/** The same of sizes that are computed from others. */
export function tiedWithNumber(tied: TiedSizes, name: string, value: number): TiedSizes {
  const word = new RegExp(`\\b${name}\\b`, "g");
  const others = [...tied].filter(([own]) => own !== name);
  return new Map(others.map(([own, text]) => [own, plain(String(text).replace(word, String(value)))]));
}

/** An expression with what follows from other sizes in their words. */
export function inFreeSizes(expression: SizeExpression, tied: TiedSizes): SizeExpression {
  if (tied.size === 0 || typeof expression === "number") return expression;
  return expression.replace(/[A-Za-z_]\w*/g, (word) => {
    const value = tied.get(word);
    return value === undefined || /^\w+$/.test(String(value)) ? String(value ?? word) : `(${value})`;
  });
}

function plain(text: string): SizeExpression {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Which argument of the kernel holds a planned one. */
export function placeOf(layout: ArgumentLayout, name: string): number {
  return layout.findIndex((argument) =>
    typeof argument === "string"
      ? argument === name
      : argument.fields.some((field) => ("name" in field ? field.name : field.value) === name),
  );
}
