import { known } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { SourceTree } from "../../../core/judge/candidate";
import { cTypes, includesOf } from "../../../core/workload/c-types";
import { itemBytes } from "../../../core/workload/item-bytes";
import {
  type ArgumentSpec,
  type EntrySpec,
  type FieldsArgument,
  type FilledSymbol,
  filledSymbol,
  type KernelSpec,
  type PointerArgument,
  type StructureSpec,
} from "../../../core/workload/spec";
import { inFolder } from "../evaluation/oracle-session";

/** Where the harness stands among the candidate's files, and what its call is named in messages. */
export const harnessFile = "kernelwright-harness.cu";
export const callFile = "kernelwright-entry-call";
/** Where `runtime/entry/harness.hpp` stands beside it. */
export const supportFile = "kernelwright-harness.hpp";

/** A C++ name, with namespaces and template arguments: nothing that could be code of another kind. */
const callable = /^(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:<[\w\s:,*<>]*>)?$/;

/** A path that may stand in an include directive. */
const includable = /^[^"\\\n\r]+$/;

/** Headers that sources do without where others, PyTorch's above all, include them. */
const standardHeaders: readonly (readonly [header: string, names: RegExp])[] = [
  ["thread", /\bstd::(?:thread|this_thread)\b/],
  ["mutex", /\bstd::(?:mutex|lock_guard|unique_lock|once_flag)\b/],
  ["atomic", /\bstd::atomic\b/],
  ["sstream", /\bstd::[io]?stringstream\b/],
  ["unordered_map", /\bstd::unordered_map\b/],
  ["memory", /\bstd::(?:unique_ptr|shared_ptr)\b/],
  ["stdexcept", /\bstd::(?:runtime_error|invalid_argument|out_of_range)\b/],
];

interface HarnessSource {
  readonly spec: Pick<KernelSpec, "inputs" | "outputs">;
  /** Its files are relative to the top of the tree. */
  readonly entry: EntrySpec;
  readonly files: SourceTree;
}

/** An entry with its files relative to the top of the tree, not to the folder of its spec. */
export function entryFromTop(specFolder: string, entry: EntrySpec): EntrySpec {
  const { call, sources } = entry;
  return {
    ...entry,
    call: inFolder(specFolder, call),
    ...(sources && { sources: sources.map((source) => inFolder(specFolder, source)) }),
  };
}

/** The file and the function of an entry: `src/a.cu::ns::run<float>`. */
function entryParts(call: string): { readonly file: string; readonly name: string } {
  const split = call.indexOf("::");
  return { file: call.slice(0, split), name: call.slice(split + 2) };
}

/**
 * A program around a C++ entry: it includes the entry's file as it is, and calls the function case by case
 * with what the device lends it. The problem says what of the spec cannot be made.
 */
export function harness({
  spec,
  entry: { call, arguments: given, structures = [], sources = [], symbols = [], scratch = {} },
  files,
}: HarnessSource): Outcome<string, string> {
  const { file, name } = entryParts(call);
  if (!callable.test(name) || !includable.test(file))
    return fail(`the entry ${call} is no FILE::FUNCTION with a C++ name`);
  const odd = sources.find((source) => !includable.test(source));
  if (odd !== undefined) return fail(`the source ${JSON.stringify(odd)} has a name that cannot be included`);
  if (!given.every(isPassed)) return fail("places inside of buffers cannot be passed to a C++ function");
  const passed = new Set(given.filter((each) => typeof each === "string"));
  const returned = Object.keys(spec.outputs).filter((output) => !passed.has(output));
  if (returned.length > 1)
    return fail(
      `the outputs ${returned.join(", ")} are no arguments of the entry: a C++ function returns one of them at most`,
    );
  const texts = Object.values(files);
  const usesVectors = texts.some((text) => /\bvector\b/.test(text));
  const headers = standardHeaders.filter(([, names]) => texts.some((text) => names.test(text)));
  const tensors = { ...spec.inputs, ...spec.outputs, ...scratch };
  const dtypes = new Set([
    ...Object.values(tensors).map(({ dtype }) => dtype),
    ...given.flatMap((each) => (typeof each === "object" && "dtype" in each ? [each.dtype] : [])),
  ]);
  const lines = given.filter(isPassed).map((argument, index) => declaration(tensors, argument, index));
  return succeed(
    [
      ...includesOf(dtypes),
      ...(usesVectors ? ["#include <vector>", "#define KERNELWRIGHT_VECTORS 1"] : []),
      ...headers.map(([header]) => `#include <${header}>`),
      ...(symbols.length > 0 ? ["#define KERNELWRIGHT_SYMBOLS 1"] : []),
      // Macros of the entry's files, such as N, would change what stands behind them.
      `#include "${supportFile}"`,
      "#define main kernelwrightProgramMain",
      ...[file, ...sources].map((path) => `#include "${path}"`),
      "#undef main",
      ...(symbols.length > 0 ? symbolsFunction(symbols.map(filledSymbol)) : []),
      caseFunction({
        ...{ name, returned: returned.length > 0 },
        lines: [...lines, ...structures.map(structureLine)],
        passed: passedNames(given.length, structures),
      }),
    ].join("\n"),
  );
}

/** An argument that a C++ function can be given. */
type PassedArgument = Exclude<ArgumentSpec, PointerArgument | FieldsArgument>;

/** False for a place inside of a buffer, and for a structure, whose fields are arguments of their own. */
export function isPassed(argument: ArgumentSpec): argument is PassedArgument {
  return typeof argument === "string" || !("buffer" in argument || "fields" in argument);
}

/**
 * The words of a case, in order: for each argument an address and a size, or a value. The returned output
 * comes last.
 */
function declaration(tensors: KernelSpec["inputs"], argument: PassedArgument, index: number): string {
  if (typeof argument === "string") {
    const { dtype } = known(tensors[argument], `the buffer ${argument} of the spec`);
    return `kernelwright_harness::Buffer<${cTypes[dtype]}> a${index}(words);`;
  }
  if ("bytes" in argument)
    return `kernelwright_harness::Bytes<${argument.bytes.length / 2}> a${index}(words);`;
  return `kernelwright_harness::Scalar<${cTypes[argument.dtype]}> a${index}(words);`;
}

/** Gives the variables of the module what they hold. */
function symbolsFunction(symbols: readonly FilledSymbol[]): readonly string[] {
  return [
    "static const unsigned long long *kernelwrightSymbols(const unsigned long long *words, bool fills) {",
    ...symbols.map(({ symbol, with: given }) => {
      const bytes = bytesOf(given);
      const fill = bytes === undefined ? "fill" : `fillBytes<${bytes}>`;
      return `  words = kernelwright_harness::${fill}(${symbol}, words, fills);`;
    }),
    "  return words;",
    "}",
  ];
}

/** Bytes that are handed over as they are; undefined for what a buffer holds. */
function bytesOf(given: ArgumentSpec): number | undefined {
  if (typeof given === "string" || "buffer" in given) return undefined;
  if ("fields" in given) return given.byteLength;
  return "bytes" in given ? given.bytes.length / 2 : itemBytes[given.dtype];
}

/** A structure made of the arguments that are its members. */
function structureLine({ type, first, members }: StructureSpec): string {
  const values = Array.from({ length: members }, (_, index) => `a${first + index}.loose()`);
  return `kernelwright_harness::Structure<${type}> s${first}{${type}{${values.join(", ")}}};`;
}

/** What the function is passed, in order. */
function passedNames(count: number, structures: readonly StructureSpec[]): readonly string[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const around = structures.find(({ first, members }) => index >= first && index < first + members);
    if (around === undefined) return [`a${index}`];
    return around.first === index ? [`s${index}`] : [];
  });
}

interface CaseText {
  readonly name: string;
  readonly lines: readonly string[];
  readonly passed: readonly string[];
  /** An output is what the function returns. */
  readonly returned: boolean;
}

/**
 * The call stands in a template, where a branch that is not taken need not fit: first with values of the
 * types that the spec names, then with what turns into whatever the parameters want.
 */
function caseFunction({ name, lines, passed, returned }: CaseText): string {
  const all = passed.join(", ");
  const call = `
    using kernelwright_harness::takes;
    if constexpr (takes<decltype(typed), decltype(a.plain())...>()) return typed(a.plain()...);
    else return ${name}(a.loose()...);`;
  return `
static void kernelwrightCase(const unsigned long long *words) {
  words = kernelwrightSymbols(words, false);
  ${lines.join("\n  ")}
  ${returned ? "kernelwright_harness::Result result(words);" : ""}
  auto typed = [](auto &&...given) -> decltype(${name}(static_cast<decltype(given)>(given)...)) {
    return ${name}(static_cast<decltype(given)>(given)...);
  };
  auto call = [&](auto &...a) {
#line 1 "${callFile}"${call}
  };
  auto whole = [&]() { return call(${all}); };
  ${returned ? "kernelwright_harness::keep(result, whole);" : "whole();"}
}`;
}
