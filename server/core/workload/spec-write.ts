import { isPythonExpression } from "./entry/python-call";
import type { EntrySpec, KernelSpec, ReferenceSpec, ShapeCase, TensorSpec } from "./spec";

/** Something that inference could not know: a path into the spec file (`inputs.x.dtype`) and a sentence. */
export interface UnknownPart {
  readonly path: string;
  readonly sentence: string;
}

/**
 * The text of a spec file. Each unknown stands as a comment `// unknown: …` above the entry it belongs to, or
 * above the nearest entry around it; what parseKernelSpec reads back equals the spec.
 */
export function writeKernelSpec(
  spec: KernelSpec,
  unknowns: readonly UnknownPart[] = [],
  schema?: string,
): string {
  const run = spec.run.kind === "launch" ? { launch: spec.run.launch } : { entry: entryOf(spec.run.entry) };
  const content = {
    ...(schema === undefined ? {} : { $schema: schema }),
    version: 1,
    kernel: `${spec.file}::${spec.kernel}`,
    ...run,
    inputs: mapTensors(spec.inputs),
    outputs: mapTensors(spec.outputs),
    shapes: spec.shapes.map(shapeOf),
    ...withoutAbsent({ pricedAt: spec.pricedAt }),
    reference: referenceOf(spec.reference),
    ...withoutAbsent({ tolerance: spec.tolerance, requires: spec.requires }),
    objective: spec.objective,
    ...withoutAbsent({ editable: spec.editable, program: spec.program, origins: spec.origins }),
  };
  const writer = new CommentedWriter(unknowns);
  const body = writer.write(content, "", "");
  return [...writer.remaining().map((sentence) => `// unknown: ${sentence}`), body, ""].join("\n");
}

function entryOf(entry: EntrySpec): unknown {
  return isPythonExpression(entry) ? { call: entry.call } : entry;
}

function mapTensors(tensors: Readonly<Record<string, TensorSpec>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, distribution }]) => [
      name,
      { dtype, shape, ...(distribution === undefined ? {} : { distribution }) },
    ]),
  );
}

function shapeOf({ sizes, heldOut, values, recorded, results, weight }: ShapeCase): unknown {
  return withoutAbsent({ sizes, heldOut, values, recorded, results, weight });
}

function withoutAbsent(entries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function referenceOf(reference: ReferenceSpec): unknown {
  if (reference.kind === "baseline") return "baseline";
  return reference.kind === "callable" ? reference.callable : { expressions: reference.expressions };
}

const widest = 110;

/** Writes JSON with short parts on one line and comments above the entries they belong to. */
class CommentedWriter {
  private readonly written = new Set<UnknownPart>();

  constructor(private readonly unknowns: readonly UnknownPart[]) {}

  write(value: unknown, path: string, indent: string): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const inside = `${path}${path === "" ? "" : "."}`;
    const short = shortText(value);
    if (
      path !== "" &&
      indent.length + short.length <= widest &&
      !this.unknowns.some((part) => part.path.startsWith(inside))
    )
      return short;
    const deeper = `${indent}  `;
    const entries = Array.isArray(value)
      ? value.map((item, index) => ["", item, index] as const)
      : Object.entries(value).map(([name, item]) => [`${JSON.stringify(name)}: `, item, name] as const);
    const lines = entries.map(
      ([label, item, key]) =>
        `${this.comments(`${inside}${key}`, deeper)}${deeper}${label}${this.write(item, `${inside}${key}`, deeper)}`,
    );
    const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
    return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
  }

  /** Sentences whose entry is not in the file. */
  remaining(): readonly string[] {
    return this.unknowns.filter((part) => !this.written.has(part)).map((part) => part.sentence);
  }

  private comments(path: string, indent: string): string {
    const found = this.unknowns.filter((part) => part.path === path);
    for (const part of found) this.written.add(part);
    return found.map((part) => `${indent}// unknown: ${part.sentence}\n`).join("");
  }
}

/** JSON on one line with a blank after each separator. */
function shortText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shortText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  return entries.length === 0
    ? "{}"
    : `{ ${entries.map(([name, item]) => `${JSON.stringify(name)}: ${shortText(item)}`).join(", ")} }`;
}
