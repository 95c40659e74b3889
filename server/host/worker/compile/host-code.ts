import { normalizePath } from "../../../core/base/path-rules";
import type { SourceTree } from "../../../core/judge/candidate";
import type { Diagnostic } from "../../../core/judge/verdict";
import type { DeviceSources } from "../../../core/ports/device-sources";
import absentHeaders from "./absent-headers.json";
import type { CompiledModule, HostCode } from "./compiled-module";

const standIns = Object.entries(absentHeaders);

/** One run of the compiler. */
export interface CompilerRun {
  readonly files: SourceTree;
  /** Instances of kernel templates that are made besides those of the file: `scale<float, 4>`. */
  readonly instances: readonly string[];
  /** PyTorch's own headers are searched, or the stand-in for them is used. */
  readonly torch: "headers" | "stand-in" | undefined;
  /** Text that is compiled in front of each file. */
  readonly prelude?: string;
  /** Options of nvcc besides those of the build settings. */
  readonly options?: readonly string[];
}

interface HostCodeOptions {
  readonly deviceSources: DeviceSources;
  readonly run: (run: CompilerRun) => Promise<CompiledModule>;
}

interface WholeSource {
  readonly files: SourceTree;
  /** What other files of the workspace instantiate of the file's kernel templates. */
  readonly instances: readonly string[];
  /** Include folders outside of the sources. */
  readonly folders: readonly string[];
  /** Left out: the host code is compiled wherever it can be. */
  readonly hostCode?: HostCode | undefined;
}

const torchInclude = /^[ \t]*#[ \t]*include[ \t]*[<"](?:torch|ATen|c10|THC|pybind11)\//m;
/** One of PyTorch's headers that is not found, as compilers say it. */
const missingTorch = /\b(?:torch|ATen|c10|THC|pybind11)\/[\w./+-]+(?:: No such file|")/;
const missing = /(?:: No such file or directory|cannot open source file)/;
/** A file may include this many headers that are not here. */
const mostRounds = 16;

/**
 * Compiles a file with its host code, or its kernels alone where the host code is what fails. PyTorch's
 * headers take a minute to compile, so that its extensions are tried without them first.
 */
export async function compileSource(source: WholeSource, options: HostCodeOptions): Promise<CompiledModule> {
  const { files, hostCode } = source;
  if (hostCode === "left-out") return withoutHostCode(source, options);
  const torch = Object.values(files).some((text) => torchInclude.test(text));
  if (hostCode === undefined && torch) {
    const alone = await withoutHostCode(source, options);
    if (!lacksStandIn(alone)) return alone;
    const whole = await withTemplates(source, options, torch);
    return whole.kind === "compiled" ? whole : alone;
  }
  const whole = await withLibraries(source, options, torch);
  if (whole.kind !== "did-not-compile" || hostCode === "compiled") return whole;
  const device = await options.deviceSources.read(files);
  const isHostAlone = whole.diagnostics.every((each) => isHostTrouble(each, files, device.files));
  if (!isHostAlone && !whole.diagnostics.some(isMissing)) return whole;
  const alone = await withoutHostCode(source, options);
  if (alone.kind === "timed-out") return whole;
  if (lacksStandIn(alone)) {
    const real = await withTemplates(source, options, true);
    if (real.kind === "compiled") return real;
  }
  if (alone.kind === "did-not-compile")
    return { ...alone, diagnostics: inOrder({ whole, alone, isHostAlone }) };
  return { ...alone, diagnostics: [...alone.diagnostics, ...whole.diagnostics.map(asWarning)] };
}

interface BothFailed {
  readonly whole: Extract<CompiledModule, { kind: "did-not-compile" }>;
  readonly alone: Extract<CompiledModule, { kind: "did-not-compile" }>;
  /** All that was said of the whole is about its host code. */
  readonly isHostAlone: boolean;
}

/**
 * Host code that fails for itself does not say why the kernels fail; a header that it lacks may, and so may
 * text that cannot be read: what stands behind it is not told from the code of the device.
 */
function inOrder({ whole, alone, isHostAlone }: BothFailed): readonly Diagnostic[] {
  const explains = whole.diagnostics.some((each) => isMissing(each) || isUnreadable(each));
  const isBeside = isHostAlone && !explains;
  const [first, second] = isBeside ? [alone, whole] : [whole, alone];
  return [...first.diagnostics, ...second.diagnostics];
}

/** As it is; with our headers of NVIDIA's libraries where the toolkit has none. */
async function withLibraries(
  source: WholeSource,
  options: HostCodeOptions,
  needsTorch: boolean,
): Promise<CompiledModule> {
  const plain = await withTemplates(source, options, needsTorch);
  if (plain.kind !== "did-not-compile" || !plain.diagnostics.some(isMissing)) return plain;
  const files = await options.deviceSources.withLibraries(source.files);
  return files === source.files ? plain : await withTemplates({ ...source, files }, options, needsTorch);
}

/** As it is; a second time with the instances of others where a template of the file has none. */
async function withTemplates(
  { files, instances }: WholeSource,
  { run }: HostCodeOptions,
  needsTorch: boolean,
): Promise<CompiledModule> {
  const torch = needsTorch ? "headers" : undefined;
  const plain = await run({ files, instances: [], torch });
  if (plain.kind !== "compiled" || instances.length === 0) return plain;
  const made = plain.entries.map(({ facts }) => facts.kernel.replace(/<.*/s, ""));
  const lacking = instances.filter((instance) => !made.includes(instance.replace(/<.*/s, "")));
  if (lacking.length === 0) return plain;
  const more = await run({ files, instances: lacking, torch });
  return more.kind === "compiled" ? more : plain;
}

/** The device's code alone; includes of what is not here are blanked, one after the other. */
async function withoutHostCode(
  source: WholeSource,
  { deviceSources, run }: HostCodeOptions,
): Promise<CompiledModule> {
  const device = await deviceSources.read(source.files);
  const instances = [...new Set([...device.instances, ...source.instances])];
  let { files } = device;
  let hasOutside = false;
  let lacksHeader = false;
  for (let round = 0; ; round += 1) {
    const torch = device.usesTorch || hasOutside ? "stand-in" : undefined;
    const result = await run({ files, instances, torch });
    if (result.kind === "compiled") return { ...result, hostCode: "left-out" };
    const absent = result.kind === "timed-out" ? [] : result.diagnostics.filter(isMissing);
    // Of what lies outside of the sources nothing can be blanked.
    const isOutside: boolean = !hasOutside && absent.some(isOutsideTorch);
    lacksHeader ||= absent.length > 0;
    const shorter = isOutside
      ? await deviceSources.withOutside(files, source.folders)
      : absent.reduce(withoutLine, files);
    // What is declared by means of a header that is not here goes too; a kernel that needs it says so then.
    const isLeft = shorter === files && lacksHeader && result.kind === "did-not-compile";
    const next = isLeft
      ? await deviceSources.withoutDeclarations(files, result.diagnostics.filter(isError))
      : shorter;
    if (round === mostRounds || next === files) return result;
    hasOutside ||= isOutside;
    files = next;
  }
}

/** A header outside of the sources that includes one of PyTorch's which is not here. */
function isOutsideTorch({ file, message }: Diagnostic): boolean {
  return file.startsWith("/") && missingTorch.test(message);
}

/** Whether a source needs more of PyTorch than its stand-in has. */
function lacksStandIn(compiled: CompiledModule): boolean {
  return compiled.kind === "did-not-compile" && compiled.diagnostics.some(isLackOfStandIn);
}

/** A name of PyTorch's that its stand-in does not have. */
function isLackOfStandIn({ severity, message }: Diagnostic): boolean {
  return severity === "error" && /namespace "(?:at|c10|torch)\b|"(?:AT|C10|TORCH)_\w+"/.test(message);
}

/** Text that ends or goes on where the language has something else: "expected a ;". */
function isUnreadable({ severity, message }: Diagnostic): boolean {
  return severity === "error" && /^expected an? /.test(message);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function isMissing({ severity, message }: Diagnostic): boolean {
  return severity === "error" && missing.test(message);
}

/** Without the include of a header that is not here; what kernels often use of it stands in its place. */
function withoutLine(files: SourceTree, { file: named, line }: Diagnostic): SourceTree {
  // Compilers put paths together: `include/./aten/../runtime.h`.
  const file = normalizePath(named) ?? named;
  const lines = files[file]?.split("\n");
  const include = lines?.[line - 1] ?? "";
  if (lines === undefined || !/^\s*#/.test(include)) return files;
  const [, standIn = ""] = standIns.find(([name]) => include.includes(name)) ?? [];
  lines[line - 1] = standIn;
  return { ...files, [file]: lines.join("\n") };
}

/** Whether a message is about host code: a header that is not here, or a line that holds no device code. */
function isHostTrouble(diagnostic: Diagnostic, whole: SourceTree, device: SourceTree): boolean {
  if (diagnostic.severity !== "error" || isMissing(diagnostic)) return true;
  const line = (tree: SourceTree): string =>
    tree[diagnostic.file]?.split("\n")[diagnostic.line - 1]?.trim() ?? "";
  return line(whole) !== "" && line(device) === "";
}

function asWarning(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.severity !== "error") return diagnostic;
  return {
    ...diagnostic,
    severity: "warning",
    message: `the host code does not compile here: ${diagnostic.message}`,
  };
}

/** Whether a candidate's host code differs from its baseline's in more than its layout. */
export async function changesHostCode(
  baseline: SourceTree,
  tree: SourceTree,
  deviceSources: DeviceSources,
): Promise<boolean> {
  const changed = Object.keys(tree).filter((path) => tree[path] !== baseline[path]);
  if (changed.length === 0) return false;
  const pick = (files: SourceTree): SourceTree =>
    Object.fromEntries(changed.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]])));
  const [before, after] = [pick(baseline), pick(tree)];
  const [deviceBefore, deviceAfter] = [await deviceSources.read(before), await deviceSources.read(after)];
  return hostText(before, deviceBefore.files) !== hostText(after, deviceAfter.files);
}

/** Every letter that the device's text does not have; nothing of files that have none. */
function hostText(whole: SourceTree, device: SourceTree): string {
  return Object.keys(whole)
    .sort()
    .flatMap((path) => {
      const [text, kept] = [whole[path] ?? "", device[path] ?? ""];
      const letters = text.split("").filter((letter, at) => kept[at] !== letter && letter.trim() !== "");
      return letters.length === 0 ? [] : [`${path}: ${letters.join("")}`];
    })
    .join("\n");
}
