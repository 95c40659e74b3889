import { retold, t } from "../base/localized";
import { assertNever } from "../base/assert";
import { oneLine } from "../base/text";
import { comparedCounters, counterCatalogue } from "../timing/counter-catalogue";
import type { CounterName, KernelCounters } from "../timing/counters";
import type { Measurement } from "../hardware/measurement";
import { describeNanoseconds, groupDigits, plural } from "./quantities";
import { describeScore } from "./score";
import { describeBound } from "./names/bound-words";
import { refusalText, remarksOf } from "./names/refusal";
import { isTrick } from "../base/trick-source";
import { fittedExtents, madeUpFacts } from "./guesses/fitted-extents";
import type { Distribution, KernelSpec, ShapeCase } from "../workload/spec";
import type {
  CheckedCase,
  Diagnostic,
  Finding,
  InputVariant,
  MadeUp,
  Mismatch,
  MismatchCause,
  SmallestFailure,
  ValueWriter,
  Verdict,
} from "../judge/verdict";

/** `rows=256 cols=130`, names in the order of the spec. */
export function describeSizes(sizes: Readonly<Record<string, number>>): string {
  return Object.entries(sizes)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** The shape of a case; a spec without sizes has only one. */
export function describeShape(shape: ShapeCase): string {
  const sizes = describeSizes(shape.sizes);
  return sizes === "" ? t`the only shape` : sizes;
}

/** The same for what the user may paste to a model: a held-out shape is not named. */
export function shownShape(shape: ShapeCase): string {
  return shape.heldOut === true ? t`held out` : describeShape(shape);
}

/** How the inputs of a case were drawn. */
export function describeInputs({ inputs }: Pick<CheckedCase, "inputs">): string {
  return inputs === undefined
    ? ""
    : {
        declared: t`as the spec says`,
        wide: t`of very unequal size`,
        "zero-one": t`of zeros and ones`,
        extreme: t`of large numbers`,
        small: t`of small numbers`,
        "all-bits": t`of all bits`,
        "one-sided": t`below zero or near an end of their range`,
        alike: t`nearly all alike`,
        least: t`all the least of their range`,
        greatest: t`all the greatest of their range`,
        strided: t`multiples of a power of two`,
        crowded: t`nearly all the largest or the smallest`,
        "mostly-zero": t`of zeros with a few others near the end of each row`,
        "long-row": t`of rows of which one has half of all elements`,
        ends: t`at either end of their range`,
        "beside-halves": t`close beside multiples of a half`,
        "far-from-zero": t`far from zero, in relation to how far they are from each other`,
        arranged: t`in order, with one peak, nearly alike, or partly copied from one input to another`,
        cancelling: t`with large ones that cancel`,
        like: t`of one value in each row`,
        few: t`of a few values again and again`,
        halves: t`of multiples of a half`,
        "not-above-zero": t`of zeros of both signs and some numbers below`,
        "not-below-zero": t`of zeros of both signs and some numbers above`,
        nan: t`with NaN among them`,
        infinite: t`with infinities among them`,
        tiny: t`with denormal numbers and zeros of both signs among them`,
        largest: t`with numbers near the end of their range among them`,
        vast: t`with numbers among them that are too large for a fast division`,
        faint: t`of denormal numbers, whose reciprocals are infinite`,
      }[inputs];
}

const oddNumbers = ["nan", "infinite", "tiny", "largest", "vast", "faint"] as const;
const specialValues: ReadonlySet<InputVariant> = new Set(oddNumbers);

/**
 * `output[3, 17]: expected 0.25, got 0.5 (12 of 65536 wrong, greatest error 0.25)`, then where the wrong
 * elements lie, what that makes likely, and who wrote the first.
 */
export function describeMismatch(mismatch: Mismatch): string {
  const place = `${mismatch.output}[${mismatch.index.join(", ")}]`;
  const { where, cause, writer, rightWith, isUnstored } = mismatch;
  return [
    t`${place}: expected ${mismatch.expected}, got ${mismatch.actual} (${mismatch.wrong} of ${mismatch.total} wrong, ${describeError(mismatch)})`,
    ...(where === undefined ? [] : [t`wrong are ${retold(where)}`]),
    ...(rightWith === undefined ? [] : [t`with ${rightWith.name}=${rightWith.size} all are right`]),
    ...(cause === undefined ? [] : [retold(likely[cause])]),
    ...(writer === undefined ? [] : [describeWriter(writer)]),
    ...(isUnstored === true ? [t`no thread stored to the first`] : []),
  ].join("; ");
}

/** A wrong value as a finding on the line that wrote it, where that is known. */
export function wrongValue({ mismatch, shape }: CheckedCase): readonly Finding[] {
  if (mismatch?.writer === undefined || mismatch.writer.line === 0) return [];
  const { file, line, block, thread } = mismatch.writer;
  const message = `${describeShape(shape)}: ${describeMismatch(mismatch)}`;
  return [{ kind: "wrong-value", file, line, message, block, thread }];
}

/** An element that is NaN on one side alone has no distance to the right value. */
function describeError({ maxAbsoluteError }: Mismatch): string {
  return maxAbsoluteError === "NaN" ? t`NaN among them` : t`greatest error ${maxAbsoluteError}`;
}

const likely: Readonly<Record<MismatchCause, string>> = {
  tail: "likely the mask of a tail",
  "index-overflow": "likely an index that overflows",
  scale: "likely a factor that is left out or applied twice",
  precision: "likely a precision that is too low (half, bfloat16, TF32)",
  "reduction-order": "likely the order in which a sum is added up, or its rounding in single precision",
  race: "likely the race that was found",
};

/** `the smallest shape found that fails so: rows=1 cols=33 (of 9 smaller ones that were run)`. */
export function describeSmallest({ sizes, tried }: SmallestFailure): string {
  const shape = describeSizes(sizes);
  return tried === 1
    ? t`the smallest shape found that fails so: ${shape} (of 1 smaller one that was run)`
    : t`the smallest shape found that fails so: ${shape} (of ${groupDigits(tried)} smaller ones that were run)`;
}

function describeWriter({ file, line, block, thread }: ValueWriter): string {
  const at = line > 0 ? t` on ${file}:${line}` : "";
  return t`the first was written by thread (${thread.join(", ")}) of block (${block.join(", ")})${at}`;
}

/** `transpose.cu:18: message`; the line is left out when there is none. */
export function describeDiagnostic(diagnostic: Diagnostic): string {
  const place = diagnostic.line > 0 ? `${diagnostic.file}:${diagnostic.line}` : diagnostic.file;
  return `${place}: ${retold(diagnostic.severity)}: ${ownWords(diagnostic)}`;
}

/** The words of a compiler stay its own. */
export function ownWords({ source, message }: Diagnostic): string {
  return compilers.has(source) ? message : retold(message);
}

const compilers: ReadonlySet<string> = new Set(["nvcc", "ptxas", "python", "triton"]);

/** `transpose.cu:18: message`, on one line whatever is in the names; the message alone without a file. */
export function describeFinding(finding: Finding): string {
  if (finding.file === "") return oneLine(retold(finding.message));
  const place = finding.line > 0 ? `${finding.file}:${finding.line}` : finding.file;
  return oneLine(`${place}: ${retold(finding.message)}`);
}

/** The first thing that is wrong with a case; undefined when it passed. */
export function describeFailure(checked: CheckedCase): string | undefined {
  if (checked.passed) return undefined;
  const isSpecial = checked.inputs !== undefined && specialValues.has(checked.inputs);
  const tier = isSpecial ? t` in the tier of special values (inputs ${describeInputs(checked)})` : "";
  const maker = checked.madeUp === undefined ? "" : describeMadeUp(checked.madeUp);
  const sizes = `${failedShape(checked.shape)}${tier}${maker}`;
  const isTold = checked.smallest !== undefined && checked.shape.heldOut !== true;
  const least = isTold ? `; ${describeSmallest(checked.smallest)}` : "";
  const finding = checked.findings[0];
  const told = finding && describeFinding(finding);
  if (checked.mismatch)
    return `${sizes}: ${describeMismatch(checked.mismatch)}${told === undefined ? "" : `; ${told}`}${least}`;
  // Which of several threads comes first may be another one on a GPU, or the next time.
  const luck = finding?.kind.endsWith("-race")
    ? t`; the values came out right this time, but they are not certain to`
    : "";
  return `${sizes}: ${told === undefined ? t`the check failed` : `${told}${luck}`}${least}`;
}

/** `all -200`, `from -8 to 8, sorted`: how the values of an input are drawn. */
function describeDistribution(distribution: Distribution): string {
  if (typeof distribution === "string") return retold(distribution);
  switch (distribution.kind) {
    case "constant":
      return t`all ${distribution.value}`;
    case "range":
      return t`from ${distribution.low} to ${distribution.high}${distribution.sorted === true ? t`, sorted` : ""}`;
    case "skewed":
      return t`from ${distribution.low} to ${distribution.high}, small ones frequent`;
    case "offsets":
      return t`offsets up to ${distribution.total}`;
    case "permutation":
      return t`each number from ${distribution.first} on once`;
    case "letters":
      return t`letters ${[...new Set(distribution.letters)].join("")}`;
    case "recorded":
      return distribution.within === undefined
        ? t`recorded`
        : t`recorded, within ${100 * distribution.within} %`;
  }
}

/** `x all -200, y sorted`; empty where inputs are drawn as the spec says. */
export function describeDrawn(inputs: MadeUp["inputs"] = {}): string {
  return Object.entries(inputs)
    .map(([name, distribution]) => `${name} ${describeDistribution(distribution)}`)
    .join(", ");
}

/** ` in a case of the tester (x all -200; "the maximum begins at 0")`. */
export function describeMadeUp({ why, inputs }: MadeUp): string {
  const told = [describeDrawn(inputs), why === "" ? "" : JSON.stringify(oneLine(why))];
  const words = told.filter((each) => each !== "").join("; ");
  return t` in a case of the tester${words === "" ? "" : ` (${words})`}`;
}

/** `shape rows=7 cols=33`; a held-out one is not named. */
export function failedShape(shape: ShapeCase): string {
  if (shape.heldOut === true) return t`a held-out shape`;
  return Object.keys(shape.sizes).length === 0 ? t`the only shape` : t`shape ${describeSizes(shape.sizes)}`;
}

/** One sentence for a person and for the model alike. */
export function describeVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case "did-not-parse":
      return `${notParsed(verdict.diagnostics)}: ${firstDiagnostic(verdict.diagnostics)}`;
    case "did-not-compile":
      return t`does not compile: ${firstDiagnostic(verdict.diagnostics)}`;
    case "refused":
      return t`the virtual GPU cannot run it: ${refusalText(verdict)}`;
    case "did-not-run":
      return describeNoRun(verdict);
    case "timed-out":
      return t`ran out of time in ${verdict.stage} (${verdict.limitSeconds} s)`;
    case "wrong":
      return [
        t`wrong on ${verdict.cases.map(describeFailure).find((text) => text !== undefined) ?? t`an unnamed case`}`,
        ...remarksOf(verdict.cases),
      ].join("; ");
    case "correct":
      return [
        verdict.cases.length === 1
          ? t`correct on 1 case (${retold(verdict.tier)} check), ${describeBound(verdict.bound)}`
          : t`correct on ${verdict.cases.length} cases (${retold(verdict.tier)} check), ${describeBound(verdict.bound)}`,
        ...(verdict.measured === undefined ? [] : [describeMeasured(verdict.measured)]),
        ...remarksOf(verdict.cases),
      ].join("; ");
    case "scored":
      return t`${describeScore(verdict.score)} by its own command (${retold(verdict.tier)} check)`;
    default:
      return assertNever(verdict);
  }
}

/** What timing on a GPU found, in a clause; `measurementLines` tells all of it. */
function describeMeasured({ before, kind, shapes }: Measurement): string {
  const times = shapes.map(({ cache, nanoseconds }) => `${describeNanoseconds(nanoseconds)} ${cache}`);
  const than = kind === undefined || kind === "no difference found" ? "" : t` than the baseline`;
  return t`measured on ${before.name}: ${kind === undefined ? "" : `${retold(kind)}${than}, `}${times.join(", ")}`;
}

/** Why a text was not even compiled. */
function notParsed(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.some((each) => each.severity === "error" && isTrick(each))
    ? t`refused by the scan for known tricks, before it was run`
    : t`does not parse`;
}

/** What happened, by the kind of the finding that ended a run; all others are faults of a kernel that ran. */
const endings: Readonly<Record<string, string>> = {
  exception: "raised",
  endless: "hung:",
  "endless-loop": "hung:",
  deadlock: "hung:",
  "barrier-deadlock": "hung:",
  "invalid-launch": "could not be launched:",
};

function describeNoRun({
  reason,
  findings,
  smallest,
}: Extract<Verdict, { readonly kind: "did-not-run" }>): string {
  const [first, ...more] = findings;
  if (first === undefined) return t`did not run: ${retold(reason)}`;
  const rest = more.length === 0 ? "" : t` (and ${plural(more.length, "other finding")})`;
  const told = describeFinding({ ...first, message: first.message.replace(/^invalid launch: /, "") });
  const least = smallest === undefined ? "" : `; ${describeSmallest(smallest)}`;
  return `${retold(endings[first.kind] ?? "faulted:")} ${told}${rest}${least}`;
}

/** What can be behind a failure to compile: all other facts of a workload are about its run. */
const compiledFacts = ["launch.instance", "entry.call"];

/**
 * What a failure rests on that is a guess, one line each: the path of the fact in the spec, and the sentence
 * about it where there is one. A failure under a guess is the guess's first. `unknowns`: `PATH: SENTENCE`.
 */
export function guessesBehind(
  verdict: Verdict,
  { origins = {} }: Pick<KernelSpec, "origins">,
  unknowns: readonly string[],
): readonly string[] {
  const { kind } = verdict;
  if (kind === "correct" || isOwnWords(verdict)) return [];
  const compiled = kind === "did-not-parse" || kind === "did-not-compile";
  const guesses = Object.entries(origins)
    .filter(([path, origin]) => origin === "guessed" && (!compiled || compiledFacts.includes(path)))
    .map(([path]) => unknowns.find((unknown) => unknown.startsWith(`${path}: `)) ?? t`${path} is a guess`);
  return [
    ...chosenShapes(verdict, origins),
    ...madeUpSizes(verdict, origins),
    ...guesses,
    ...fittedExtents(verdict, origins),
    ...madeUpFacts(verdict, origins),
  ];
}

/** Sizes that nobody stated and no program has run with may only be too large. */
function chosenShapes(verdict: Verdict, origins: NonNullable<KernelSpec["origins"]>): readonly string[] {
  if (!isTooMuch(verdict)) return [];
  return areOwnSizes(origins)
    ? []
    : [t`shapes: they were chosen so that they fill a GPU; smaller ones may be enough.`];
}

function areOwnSizes(origins: NonNullable<KernelSpec["origins"]>): boolean {
  return Object.keys(origins).length === 0 || origins["launch"] === "recorded";
}

/**
 * Sizes that nobody stated, at which alone something was found: not with the first shape, which is the usual
 * one. They may not be allowed.
 */
function madeUpSizes(verdict: Verdict, origins: NonNullable<KernelSpec["origins"]>): readonly string[] {
  if (verdict.kind !== "wrong" || areOwnSizes(origins)) return [];
  const [first] = verdict.cases;
  const faulty = verdict.cases.find(({ findings }) => findings.length > 0);
  if (first === undefined || faulty === undefined) return [];
  const sizes = JSON.stringify(first.shape.sizes);
  const isSound = verdict.cases.every(({ passed, shape }) => passed || JSON.stringify(shape.sizes) !== sizes);
  if (!isSound) return [];
  return [
    t`shapes: I assumed ${describeShape(faulty.shape)}: is that right? With ${describeShape(first.shape)} nothing is found. If such sizes are allowed, write them as a shape: it is a fault of the kernel then.`,
  ];
}

/** Whether a run was ended since it took too long, or too many instructions. */
function isTooMuch(verdict: Verdict): boolean {
  if (verdict.kind === "timed-out") return verdict.stage === "run";
  return verdict.kind === "did-not-run" && verdict.findings[0]?.kind === "endless";
}

/** Whether the user's own program or test says so: its inputs are not ours. */
function isOwnWords(verdict: Verdict): boolean {
  return (
    verdict.kind === "wrong" &&
    verdict.cases.some(({ findings }) => findings.some(({ kind }) => kind === "program-failed"))
  );
}

/** A verdict in one sentence; under guesses, that it is none of the kernel comes first. */
export function describeUnder(guesses: readonly string[], verdict: Verdict): string {
  const words = describeVerdict(verdict);
  return guesses.length === 0
    ? words
    : t`not judged: what it rests on is partly guessed. With these guesses: ${words}`;
}

function firstDiagnostic(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === "error") ?? diagnostics[0];
  return first ? describeDiagnostic(first) : t`no message`;
}

interface CounterChange {
  readonly name: CounterName;
  readonly label: string;
  readonly before: number;
  readonly after: number;
}

/** Totals that differ between two runs of the same shape, the most telling first. */
export function counterChanges(
  before: KernelCounters["totals"],
  after: KernelCounters["totals"],
): readonly CounterChange[] {
  return comparedCounters
    .map((name) => ({
      name,
      label: counterCatalogue[name].title,
      before: before[name],
      after: after[name],
    }))
    .filter(({ name, before: old, after: now }) => {
      const { harmless = 0 } = counterCatalogue[name];
      return Math.max(old, harmless) !== Math.max(now, harmless);
    });
}
