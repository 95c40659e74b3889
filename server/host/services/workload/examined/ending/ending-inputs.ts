import { at } from "../../../../../core/base/known";
import { fail, succeed } from "../../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../../core/ports/evaluator";
import type { Distribution, KernelSpec, ShapeCase, SizeExpression } from "../../../../../core/workload/spec";
import { describeShape } from "../../../../../core/words/describe";
import type { FoundWorkload, WorkloadFinder } from "../../finders";
import { type ExamineMeans, examined } from "../found-task";

export interface EndingMeans extends ExamineMeans {
  /** Whether a run of a shape ends within so many seconds of work; true as well where it fails. */
  readonly ends: (
    task: EvaluationTask,
    shape: ShapeCase,
    mostSeconds: number,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/** Seconds of work of a run with the smallest sizes: one that ends takes milliseconds. */
const mostSeconds = 2;
/** Inputs that are tried as a table, at most. */
const mostTables = 3;
/** A loop whose end depends on what it meets. */
const openLoop = /\bwhile\s*\(|\bfor\s*\([^;]*;\s*;/;

/**
 * Makes sure first that a kernel ends with what was made up, with its smallest sizes: one that looks a key
 * up, place by place, goes on for ever where no place has it. Each table is then tried with every number
 * once, and keys that are among them. Where none of it ends, that is the question, and no fault of the
 * kernel. Before that, buffers that are filled until nothing is left get more room.
 */
export function withEndingInputs(finder: WorkloadFinder, means: EndingMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok || !openLoop.test(request.text)) return found;
      const names = openNumbers(found.value.spec);
      const [smallest] = [...found.value.spec.shapes].sort((a, b) => volumeOf(a) - volumeOf(b));
      if (names.length === 0 || smallest === undefined) return found;
      const ends = (workload: FoundWorkload, shape = smallest): Promise<boolean> =>
        examined(means, request, workload, {
          ask: (task, signal) => means.ends(task, shape, mostSeconds, signal),
          otherwise: true,
        });
      const roomy = withRoom(found.value);
      // Of a hundred numbers as many as there are places are all different in one draw, and not in the next.
      const hasEnded = await ends(roomy === undefined ? found.value : withDifferent(found.value, names));
      if (hasEnded && (roomy === undefined || (await ends(found.value)))) return found;
      if (roomy !== undefined) {
        const small = at(roomy.spec.shapes, found.value.spec.shapes.indexOf(smallest));
        if (await ends(roomy, small)) return succeed(roomy);
      }
      for (const table of names.slice(0, mostTables)) {
        const filled = withTable(found.value, table, names);
        if (await ends(filled)) return succeed(filled);
      }
      const where = `within ${mostSeconds} s of work at ${describeShape(smallest)}`;
      const made = `with numbers that were made up for ${names.join(", ")}`;
      return fail(
        `${made} it did not end ${where}: what they hold may have to fit together, as keys and their table`,
      );
    },
  };
}

/** Numbers of which hardly any two are alike. */
function withDifferent({ spec, ...rest }: FoundWorkload, names: readonly string[]): FoundWorkload {
  const distribution = { kind: "range", low: 0, high: 2 ** 31 - 1 } as const;
  const inputs = Object.entries(spec.inputs).map(([name, tensor]) => [
    name,
    names.includes(name) && /(32|64)$/.test(tensor.dtype) ? { ...tensor, distribution } : tensor,
  ]);
  return { ...rest, spec: { ...spec, inputs: Object.fromEntries(inputs) as KernelSpec["inputs"] } };
}

/** How a buffer is as long as one size, or as the mask of its places says. */
const ownSize = /^(\w+)( \+ 1)?$/;

/**
 * Room for everything in buffers that are filled in places of which each is looked for, as hash tables are:
 * powers of two, twice as large as all else. Undefined where no size is that of such a buffer alone.
 */
function withRoom(found: FoundWorkload): FoundWorkload | undefined {
  const { spec, unknowns, ...rest } = found;
  const read = Object.entries(spec.inputs).flatMap(([name, { shape }]) =>
    spec.outputs[name] === undefined ? shape.map(String) : [],
  );
  const rooms = Object.values(spec.outputs).flatMap(({ shape }) => {
    const [, size, mask] = ownSize.exec(String(shape[0])) ?? [];
    const isOthers = read.some((each) => new RegExp(`\\b${size ?? ""}\\b`).test(each));
    return size === undefined || /^\d/.test(size) || isOthers
      ? []
      : [{ size, less: mask === undefined ? 0 : 1 }];
  });
  if (rooms.length === 0) return undefined;
  const names = rooms.map(({ size }) => size);
  const shapes = spec.shapes.map((shape) => {
    const others = Object.entries(shape.sizes).flatMap(([name, size]) => (names.includes(name) ? [] : size));
    const room = 2 ** Math.ceil(Math.log2(2 * Math.max(1, ...others)));
    return {
      ...shape,
      sizes: { ...shape.sizes, ...Object.fromEntries(rooms.map(({ size, less }) => [size, room - less])) },
    };
  });
  const sentence = `${names.join(", ")}: room for twice as many elements as there are, a power of two, is a guess; with less the kernel did not end.`;
  return {
    ...rest,
    spec: { ...spec, shapes, origins: { ...spec.origins, shapes: "guessed" } },
    unknowns: [{ path: "shapes", sentence }, ...unknowns],
  };
}

/** Inputs of whole numbers of which no more is known. */
function openNumbers({ inputs }: KernelSpec): readonly string[] {
  return Object.entries(inputs).flatMap(([name, { distribution, dtype }]) =>
    /^u?int/.test(dtype) && isOpen(distribution) ? name : [],
  );
}

function isOpen(distribution: Distribution | undefined): boolean {
  if (typeof distribution !== "object") return distribution === "integers" || distribution === undefined;
  return distribution.kind === "range" && distribution.sorted !== true;
}

/** A table that has each number once, and others that hold numbers of it. */
function withTable(
  { spec, unknowns, ...rest }: FoundWorkload,
  table: string,
  names: readonly string[],
): FoundWorkload {
  const length = lengthOf(spec.inputs[table]?.shape ?? []);
  const high = typeof length === "number" ? length - 1 : `${length} - 1`;
  const inputs = Object.fromEntries(
    Object.entries(spec.inputs).map(([name, tensor]) => {
      if (!names.includes(name)) return [name, tensor];
      const distribution =
        name === table ? ("permutation" as const) : { kind: "range" as const, low: 0, high };
      return [name, { ...tensor, distribution }];
    }),
  );
  const paths = names.map((name) => `inputs.${name}.distribution`);
  const others = names.filter((name) => name !== table).join(", ");
  const keys = others === "" ? "" : `, and ${others} numbers among them`;
  const sentence = `${table} is taken to hold each number once${keys}: with others the kernel did not end.`;
  return {
    ...rest,
    spec: {
      ...spec,
      inputs,
      origins: { ...spec.origins, ...Object.fromEntries(paths.map((path) => [path, "guessed" as const])) },
    },
    unknowns: [{ path: `inputs.${table}.distribution`, sentence }, ...unknowns],
  };
}

function lengthOf(shape: readonly SizeExpression[]): SizeExpression {
  const [first = 1] = shape;
  return shape.length < 2 ? first : shape.map((size) => `(${size})`).join(" * ");
}

function volumeOf({ sizes }: ShapeCase): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}
