import { succeed } from "../../../../core/base/outcome";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { KernelSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "../finders";
import { withConstants } from "../unfilled-constants";
import { withOtherNumbers } from "./other-numbers";
import { type ExamineMeans, examined } from "./found-task";

/** So many inputs are tried as flags, one after the other: each try is a check. */
const MOST_FLAGS = 4;

export interface TellingMeans extends ExamineMeans {
  /** What passes the check of a task without being computed from its inputs; undefined where it fails. */
  readonly trivialAnswers: (
    task: EvaluationTask,
    signal: AbortSignal,
  ) => Promise<readonly string[] | undefined>;
}

/**
 * Chooses values of whole numbers by which a result is told from a trivial one: flags, cells and masks of 0
 * and 1 are whole numbers like all others, and with values from all of their range a kernel may always leave
 * the same. Where rows end may be what a row of numbers below a bound says: those have to ascend.
 */
export function withTellingInputs(finder: WorkloadFinder, means: TellingMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok) return found;
      const others = otherInputs(found.value);
      if (others.length === 0) return found;
      const passing = await passingFor(means, request, found.value);
      // What fails is left to the check, which says what is wrong.
      if (passing === undefined || passing.length === 0) return found;
      for (const other of others)
        if ((await passingFor(means, request, other))?.length === 0) return succeed(other);
      return found;
    },
  };
}

function otherInputs(found: FoundWorkload): readonly FoundWorkload[] {
  const names = wholeNumbers(found.spec);
  const whole = names.length === 0 ? [] : [withFlags(found, names)];
  const masks = floatsOf(found.spec).map((name) => withFlags(found, [name]));
  return [
    ...withTables(found),
    ...withMembers(found),
    ...whole,
    ...withWide(found, names),
    ...withStarts(found),
    ...withOffsets(found),
    ...withOtherNumbers(found),
    ...withSmall(found),
    ...masks,
  ];
}

/** Constants of whole numbers, of which zeros tell nothing: with any values, and with small ones. */
function withTables(found: FoundWorkload): readonly FoundWorkload[] {
  const unset = Object.entries(found.unset ?? {});
  if (unset.length === 0) return [];
  const small = unset.map(
    ([name, tensor]) => [name, { ...tensor, distribution: { kind: "range", low: 0, high: 3 } }] as const,
  );
  return [unset, small].map((tensors) => {
    const filled = withConstants(found, Object.fromEntries(tensors));
    return { ...filled, unknowns: filled.unknowns.filter(({ path }) => path !== "launch.symbols") };
  });
}

/**
 * Whole numbers of one type that may be looked for among others: half of them are there, when both are drawn
 * from twice as many numbers as the shorter input has.
 */
function withMembers(found: FoundWorkload): readonly FoundWorkload[] {
  const { inputs, shapes } = found.spec;
  const open = Object.entries(inputs).filter(
    ([, { dtype, distribution }]) => /^u?int(?!8$)/.test(dtype) && isAnyNumber(distribution),
  );
  const length = (name: string): number => {
    const sizes = inputs[name]?.shape.map((each) => evaluateSizeExpression(each, shapes[0]?.sizes ?? {}));
    return (sizes ?? []).reduce((product, each) => product * (each.ok ? each.value : NaN), 1);
  };
  return open.flatMap(([list, tensor], index) =>
    open.slice(index + 1).flatMap(([other, values]) => {
      const areAlike = tensor.dtype.replace("u", "") === values.dtype.replace("u", "");
      if (!areAlike || length(list) === length(other)) return [];
      const [shorter, longer] = length(list) < length(other) ? [list, other] : [other, list];
      const [rows = 1] = inputs[shorter]?.shape ?? [];
      const high = typeof rows === "number" ? 2 * rows - 1 : `2 * (${rows}) - 1`;
      const distribution = { kind: "range", low: 0, high } as const;
      const sentence = `values of ${longer} are taken to be looked for in ${shorter}, and about half of them to be there: with other values the check would also pass for a constant.`;
      return [
        withInputs(
          found,
          { [list]: { ...tensor, distribution }, [other]: { ...values, distribution } },
          sentence,
        ),
      ];
    }),
  );
}

function isAnyNumber(distribution: KernelSpec["inputs"][string]["distribution"]): boolean {
  if (typeof distribution === "string") return distribution === "integers";
  return distribution?.kind === "range" && distribution.sorted !== true;
}

/**
 * Whole numbers that atomics change and that were 0 before, as places within their own array: of numbers of
 * components and distances the least is kept, and of zeros nothing is less.
 */
function withStarts(found: FoundWorkload): readonly FoundWorkload[] {
  const { inputs, outputs } = found.spec;
  const started = Object.entries(inputs).flatMap(([name, tensor]) => {
    const { distribution, dtype, shape } = tensor;
    const isZero =
      typeof distribution === "object" && distribution.kind === "constant" && distribution.value === 0;
    if (!isZero || outputs[name] === undefined || dtype.includes("float") || shape.length !== 1) return [];
    const high = typeof shape[0] === "number" ? shape[0] - 1 : `${shape[0] ?? 1} - 1`;
    return [[name, { ...tensor, distribution: { kind: "range", low: 0, high } as const }] as const];
  });
  if (started.length === 0) return [];
  const names = started.map(([name]) => name).join(", ");
  const sentence = `${names} is taken to hold numbers of its own elements before: with zeros the check would also pass for a constant.`;
  return [withInputs(found, Object.fromEntries(started), sentence)];
}

/** Inputs that are floats as far as anyone knows: a mask may be one, since any call runs with one. */
function floatsOf(spec: KernelSpec): readonly string[] {
  const floats = usualFloats(spec);
  return floats.length < 2 ? [] : floats.map(([name]) => name).slice(0, MOST_FLAGS);
}

function usualFloats({ inputs }: KernelSpec): readonly (readonly [string, KernelSpec["inputs"][string]])[] {
  return Object.entries(inputs).filter(
    ([, { dtype, distribution = "normal" }]) => dtype.includes("float") && distribution === "normal",
  );
}

/** Sums of a hundred squares of such numbers stay below 1. */
const small = 1 / 16;

/** Floats that are drawn as usual, all of them small: of usual distances the exponentials vanish. */
function withSmall(found: FoundWorkload): readonly FoundWorkload[] {
  const usual = usualFloats(found.spec);
  if (usual.length === 0) return [];
  const distribution = { kind: "range", low: -small, high: small } as const;
  const inputs = Object.fromEntries(usual.map(([name, tensor]) => [name, { ...tensor, distribution }]));
  const names = Object.keys(inputs).join(", ");
  const sentence = `${names} is taken to hold numbers up to ${small}: with larger ones the check would also pass for other inputs.`;
  return [withInputs(found, inputs, sentence)];
}

/** Each row of numbers below a bound as the places where other rows end. */
function withOffsets(found: FoundWorkload): readonly FoundWorkload[] {
  return Object.entries(found.spec.inputs).flatMap(([name, tensor]) => {
    const { distribution, dtype, shape } = tensor;
    const isRange = typeof distribution === "object" && distribution.kind === "range";
    if (!isRange || distribution.sorted === true || dtype.includes("float") || shape.length !== 1) return [];
    const { high } = distribution;
    const total = typeof high === "number" ? high + 1 : `${high} + 1`;
    const ascending = { ...tensor, distribution: { kind: "offsets", total } as const };
    const sentence = `${name} is taken to ascend, as places do where rows end: with other values the check would also pass for a constant.`;
    return [withInputs(found, { [name]: ascending }, sentence)];
  });
}

function withInputs(
  { spec, unknowns, ...rest }: FoundWorkload,
  inputs: KernelSpec["inputs"],
  sentence: string,
): FoundWorkload {
  const paths = Object.keys(inputs).map((name) => `inputs.${name}.distribution`);
  const origins = Object.fromEntries(paths.map((path) => [path, "guessed" as const]));
  return {
    ...rest,
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...inputs },
      origins: { ...spec.origins, ...origins },
    },
    unknowns: [...paths.slice(0, 1).map((path) => ({ path, sentence })), ...unknowns],
  };
}

/** Inputs of which nothing is known but that they are whole numbers. */
function wholeNumbers({ inputs }: KernelSpec): readonly string[] {
  return Object.entries(inputs).flatMap(([name, { distribution, dtype }]) =>
    distribution === "integers" && !dtype.includes("float") ? name : [],
  );
}

/** The greatest whole number that all types of 32 bits and more have. */
const greatest = 2 ** 31 - 1;

/** Numbers of which hardly any two are alike: a set of a hundred that come again is always the same. */
function withWide(found: FoundWorkload, names: readonly string[]): readonly FoundWorkload[] {
  const { inputs } = found.spec;
  const wide = names.flatMap((name) => {
    const tensor = inputs[name];
    if (tensor === undefined || !/(32|64)$/.test(tensor.dtype)) return [];
    return [[name, { ...tensor, distribution: { kind: "range", low: 0, high: greatest } as const }] as const];
  });
  if (wide.length === 0) return [];
  const which = wide.map(([name]) => name).join(", ");
  const sentence = `${which} is taken to hold any numbers: with a few that come again and again the check would also pass for other inputs.`;
  return [withInputs(found, Object.fromEntries(wide), sentence)];
}

function withFlags(found: FoundWorkload, names: readonly string[]): FoundWorkload {
  const { spec, unknowns } = found;
  const flags = Object.entries(spec.inputs).map(([name, tensor]) => [
    name,
    names.includes(name) ? { ...tensor, distribution: "zero-one" as const } : tensor,
  ]);
  const path = (name: string): string => `inputs.${name}.distribution`;
  const guessed = names.map((name) => ({
    path: path(name),
    sentence: `${name} is taken to hold 0 and 1: with other values the check would also pass for a constant.`,
  }));
  return {
    ...found,
    spec: {
      ...spec,
      inputs: Object.fromEntries(flags) as KernelSpec["inputs"],
      origins: { ...spec.origins, ...Object.fromEntries(names.map((name) => [path(name), "guessed"])) },
    },
    unknowns: [...guessed, ...unknowns],
  };
}

/** What passes the check of a found workload all the same; undefined where it fails. */
export function passingFor(
  means: TellingMeans,
  request: WorkloadRequest,
  found: FoundWorkload,
): Promise<readonly string[] | undefined> {
  return examined<readonly string[] | undefined>(means, request, found, {
    ask: means.trivialAnswers,
    otherwise: undefined,
  });
}
