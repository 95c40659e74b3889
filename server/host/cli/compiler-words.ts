import { extname } from "node:path";
import { OperationalError } from "../../core/base/operational-error";

/** Options of `run` and `capture` with a value in the next word. */
const ownValued = new Set([
  "--arch",
  "--nvcc",
  "--python",
  "--gpu-python",
  "--compile-option",
  "--target",
  "--exclude",
  "--seconds",
  "--repeat-limit",
  "--report-seconds",
  "--launch-budget",
]);
/** Commands that take a program. */
const runs = new Set(["run", "capture"]);
/** Options of nvcc that may have their value in the next word. */
const valued = new Set([
  "-I",
  "-D",
  "-U",
  "-l",
  "-L",
  "-std",
  "-include",
  "-isystem",
  "-Xcompiler",
  "-Xptxas",
  "-Xlinker",
  "-ccbin",
  "-maxrregcount",
  "-default-stream",
  "-diag-suppress",
  "-diag-error",
  "-diag-warn",
  "-rdc",
  "-relocatable-device-code",
]);
/**
 * Options of nvcc that its users write with two dashes, none of which are `run`'s own; those that take a
 * value may have it in the next word.
 */
const long = new Set([
  "--extended-lambda",
  "--expt-extended-lambda",
  "--expt-relaxed-constexpr",
  "--use_fast_math",
  "--generate-line-info",
  "--device-debug",
  "--debug",
  "--disable-warnings",
  "--restrict",
]);
const longValued = new Set([
  "--std",
  "--optimize",
  "--define-macro",
  "--undefine-macro",
  "--include-path",
  "--pre-include",
  "--system-include",
  "--library",
  "--library-path",
  "--compiler-options",
  "--ptxas-options",
  "--linker-options",
  "--compiler-bindir",
  "--maxrregcount",
  "--default-stream",
  "--relocatable-device-code",
  "--ftz",
  "--prec-div",
  "--prec-sqrt",
  "--fmad",
  "--diag-suppress",
  "--diag-error",
  "--diag-warn",
  "--gpu-architecture",
  "--generate-code",
  "--gpu-code",
]);
const programs = new Set([".cu", ".py"]);
const sources = new Set([".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a"]);
const refused: readonly (readonly [RegExp, string])[] = [
  [
    /^(-(arch|gencode|code)|--(gpu-architecture|generate-code|gpu-code))(=|$)/,
    "--arch names the GPU that is modelled",
  ],
  [
    /^-(o|odir|c|dw|dlink|lib|shared|ptx|cubin|fatbin|cuda|E|M|MM|MD|MF|run|link|cudart)(=|$)/,
    "run makes the program itself and starts it",
  ],
];

/**
 * The words of a `run` or `capture` as nvcc's users write them, in our own words: before `--` what begins
 * with one dash is an option for nvcc, as are its long names; source files behind the program belong to it.
 * Throws a usage error for options that `run` sets itself. Other commands' words stay as they are.
 */
export function compilerWords(argv: readonly string[]): readonly string[] {
  const [command = ""] = argv;
  if (!runs.has(command)) return argv;
  if (argv[1] === "-m") return moduleWords(command, argv.slice(2));
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const words: string[] = [command];
  const named = positional(argv.slice(1, end));
  const program = named.find((word) => programs.has(extname(word))) ?? named[0];
  if (program === undefined || extname(program) === ".py") return argv;
  for (let at = 1; at < end; at += 1) {
    const word = argv[at] ?? "";
    const value = argv.slice(at + 1, Math.min(end, at + 1 + valuesOf(word)));
    at += value.length;
    if (isForCompiler(word)) words.push(`--compile-option=${joined(allowed(word), value)}`);
    else if (word !== program && !word.startsWith("-") && sources.has(extname(word)))
      words.push(`--compile-option=${word}`);
    else words.push(word, ...value);
  }
  return [...words, ...argv.slice(end)];
}

/** `-m pkg.module …` as the words for its file, with the other words for the program. */
function moduleWords(command: string, [module = "", ...words]: readonly string[]): readonly string[] {
  const isOther = module !== "pytest" && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(module);
  if (!isOther) return testWords(command, [module, ...words]);
  const others = words.filter((word) => word !== "--");
  return [command, `${module.replaceAll(".", "/")}.py`, "--", ...others];
}

/** Options of pytest that have their value in the next word. */
const pytestValued = new Set([
  ...["-k", "-m", "-c", "-p", "-o", "-W", "-n", "-r", "--tb", "--maxfail", "--durations", "--rootdir"],
  ...["--confcutdir", "--basetemp", "--ignore", "--ignore-glob", "--deselect", "--import-mode", "--color"],
  ...["--log-level", "--log-cli-level", "--log-file", "--junitxml", "--junit-xml", "--capture", "--cov"],
]);

/**
 * `-m pytest FILE …` as the words for the tests of a file, with the other words for pytest; `run` takes a
 * folder of tests as well. Options may stand before it.
 */
function testWords(command: string, [module = "", ...words]: readonly string[]): readonly string[] {
  const isPath = (word: string, at: number): boolean =>
    word !== "--" && !word.startsWith("-") && !pytestValued.has(words[at - 1] ?? "");
  const named = words.findIndex((word, at) => isPath(word, at) && /\.py(::|$)/.test(word));
  const at = named < 0 && command === "run" ? words.findIndex(isPath) : named;
  const file = words[at];
  if (module !== "pytest" || file === undefined)
    throw new OperationalError("usage", {
      forUser: `${command} -m ${module}: a module of a package is expected (package.module), or pytest with a file${command === "run" ? " or folder" : ""} of tests: kernelwright ${command} -m pytest tests/test_norm.py -k forward`,
    });
  const others = words.filter((word, index) => index !== at && word !== "--");
  return [command, file.includes("::") ? file : `${file}::`, "--", ...others];
}

function isForCompiler(word: string): boolean {
  const [name = ""] = word.split("=");
  return (/^-[A-Za-z]/.test(word) && word !== "-h") || long.has(word) || longValued.has(name);
}

/** An option of nvcc and its value as one word. */
function joined(option: string, [value]: readonly string[]): string {
  if (value === undefined) return option;
  return /^-[IDUlL]$/.test(option) ? `${option}${value}` : `${option}=${value}`;
}

function valuesOf(word: string): number {
  return ownValued.has(word) || valued.has(word) || longValued.has(word) ? 1 : 0;
}

function positional(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => !word.startsWith("-") && valuesOf(words[at - 1] ?? "") === 0);
}

function allowed(option: string): string {
  const [, why] = refused.find(([pattern]) => pattern.test(option)) ?? [];
  if (why !== undefined)
    throw new OperationalError("usage", {
      forUser: `${option}: not for run: ${why}. What stands behind -- is the program's own`,
    });
  return option;
}
