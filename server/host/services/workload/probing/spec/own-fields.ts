import { at } from "../../../../../core/base/known";
import type { InferredSpec } from "../../../../../core/language/inference";
import { plainIndex } from "../../../../../core/workload/probe/fitting/fit-last-row";
import type {
  ArgumentSpec,
  DataType,
  Distribution,
  FieldsArgument,
  KernelSpec,
  SizeExpression,
  StructureField,
  TensorSpec,
} from "../../../../../core/workload/spec";
import type { ArgumentLayout } from "../arguments/argument-layout";
import type { PlannedArgument, PlannedRecord } from "../arguments/planned-argument";

/** What is known of a kernel's arguments. */
interface Asked {
  readonly planned: readonly PlannedArgument[];
  readonly layout: ArgumentLayout;
}

/** By how much the floats of structures differ from the number that was made up for all of them. */
const [least, most] = [0.5, 1.5];

/**
 * The spec in which each structure of an array has floats of its own, and whole numbers that may become so:
 * they are inputs, one element for each structure. With equal structures a kernel that reads the first one
 * alone would be right.
 */
export function withOwnFields(found: InferredSpec, asked: Asked): InferredSpec {
  const { spec } = found;
  if (spec.run.kind !== "launch") return found;
  const { launch } = spec.run;
  const added = new Fields(spec);
  const passed = launch.arguments.map((argument, index): ArgumentSpec => {
    const record = recordOf(asked.planned, argument);
    if (record !== undefined && typeof argument === "string") return added.ofRecord(argument, record);
    const laid = asked.layout[index];
    if (typeof argument === "string" || !("fields" in argument) || typeof laid !== "object") return argument;
    const members = laid.fields.map((field) => ("name" in field ? field.name : undefined));
    return added.ofTable(argument, { name: laid.name, members });
  });
  const own = { ...spec, run: { kind: "launch", launch: { ...launch, arguments: passed } } } as const;
  const { origins = {} } = spec;
  const kept = Object.entries(origins).filter(([path]) => added.pathOf(path) === path);
  return {
    ...found,
    spec: { ...own, inputs: added.inputs, ...(spec.origins && { origins: Object.fromEntries(kept) }) },
    unknowns: found.unknowns.map((each) => ({ ...each, path: added.pathOf(each.path) })),
  };
}

function recordOf(planned: readonly PlannedArgument[], argument: ArgumentSpec): PlannedRecord | undefined {
  const found = planned.find(({ name, kind }) => kind === "buffer" && name === argument);
  return found?.kind === "buffer" ? found.record : undefined;
}

/** The inputs of a spec, with those that lie in structures. */
class Fields {
  inputs: Record<string, TensorSpec>;
  private readonly taken: Set<string>;
  /** Arrays that are no inputs of their own any more, each with the first of its fields. */
  private readonly replaced = new Map<string, string>();

  constructor({ inputs, outputs, shapes }: KernelSpec) {
    this.inputs = { ...inputs };
    this.taken = new Set([
      ...[inputs, outputs].flatMap((tensors) => Object.keys(tensors)),
      ...Object.keys(at(shapes, 0).sizes),
    ]);
  }

  /** An array that was probed as one buffer becomes one of structures. */
  ofRecord(buffer: string, { byteLength, fields }: PlannedRecord): ArgumentSpec {
    const { shape, distribution } = this.inputs[buffer] ?? { shape: [] };
    const [rows = 1, ...further] = shape.slice(0, -1);
    const count = further.length === 0 ? rows : [rows, ...further].map((size) => `(${size})`).join(" * ");
    this.inputs = Object.fromEntries(Object.entries(this.inputs).filter(([name]) => name !== buffer));
    const isLed = typeof distribution === "object";
    const own = fields.map(({ at: byte, member, dtype, value, of }): StructureField => {
      const facts = { value: of ?? value ?? plainIndex, dtype, count };
      const led = isLed && value === undefined ? { ...facts, distribution } : facts;
      return { at: byte, each: this.added(`${buffer}_${member}`, led) };
    });
    const [first = buffer] = own.flatMap((field) => ("each" in field ? field.each : []));
    this.replaced.set(buffer, first);
    return { count, byteLength, fields: own };
  }

  /** Where a fact of an array stands now that its fields are inputs. */
  pathOf(path: string): string {
    const [side, name = "", ...rest] = path.split(".");
    const field = side === "inputs" ? this.replaced.get(name) : undefined;
    return field === undefined ? path : ["inputs", field, ...rest].join(".");
  }

  /** A table whose structures hold numbers beside their addresses. */
  ofTable(
    argument: FieldsArgument,
    { name, members }: { readonly name: string; readonly members: readonly (string | undefined)[] },
  ): ArgumentSpec {
    const { count, fields } = argument;
    if (count === undefined || count === 1) return argument;
    const own = fields.map((field, index): StructureField => {
      const member = members[index];
      if (!("value" in field) || member === undefined) return field;
      const called = member.startsWith(`${name}_`) ? member : `${name}_${member}`;
      return { at: field.at, each: this.added(called, { ...field, count }) };
    });
    return { ...argument, fields: own };
  }

  /** An input for a field; without a distribution whole numbers are the same in all structures. */
  private added(wanted: string, { value, dtype, count, distribution }: FieldFacts): string {
    let name = wanted;
    while (this.taken.has(name)) name = `${name}_`;
    this.taken.add(name);
    const isFloat = dtype.includes("float") && typeof value === "number";
    const [low, high] = isFloat ? [least * value, most * value] : [value, value];
    const drawn = distribution ?? { kind: "range", low, high };
    this.inputs[name] = { dtype, shape: [count], distribution: drawn };
    return name;
  }
}

interface FieldFacts {
  readonly value: SizeExpression;
  readonly dtype: DataType;
  readonly count: SizeExpression;
  readonly distribution?: Distribution;
}
