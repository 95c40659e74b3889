import { fail, type Outcome, succeed } from "../../../core/base/outcome";
import { cudaLaunchFacts } from "../../../core/language/cuda/launch/launch-facts";
import { prepareText } from "../../../core/language/cuda/prepare";
import { withPlainParameters } from "../../../core/language/cuda/type-macros";
import { type InferredSpec, inferSpec } from "../../../core/language/inference";
import { withSource } from "../../../core/language/source-file";
import type { Grammars, SyntaxNode } from "../../../core/language/tree";
import { commonFolder } from "../sources/draw-in";
import { includersOf } from "../sources/includers";
import { readTree } from "../sources/source-tree";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "./finders";
import { type CompiledFrom, probeKernel, type ProbeMeans, type ProbeProblem } from "./probing/probe-kernel";

interface BareLaunchOptions extends ProbeMeans {
  readonly grammars: () => Promise<Grammars>;
}

/**
 * The kernel launched by itself. A CUDA kernel is launched on roomy buffers until grid, block and extents
 * explain what it touches; where that fails, and for Triton, what the source proposes has to do.
 */
export function bareLaunch(options: BareLaunchOptions): WorkloadFinder {
  return {
    looksFor: "a launch of the kernel by itself",
    find: async (request) => {
      const { file } = request;
      const alone = await asPartOf(options, request, file);
      if (!alone.isUncompiled) return alone.found;
      return (await throughIncluder(options, request)) ?? alone.found;
    },
  };
}

/** Sources that a file is compiled as a part of before it is given up. */
const mostIncluders = 2;

/**
 * The kernel of a file that does not compile by itself, as a part of the sources that include it: what it
 * leans on may stand before the include. Undefined where no source includes it.
 */
async function throughIncluder(
  options: BareLaunchOptions,
  request: WorkloadRequest,
): Promise<Outcome<FoundWorkload, string> | undefined> {
  const { file } = request;
  let first: Outcome<FoundWorkload, string> | undefined;
  for (const source of (await includersOf(options.files, file)).slice(0, mostIncluders)) {
    const { found, isUncompiled } = await asPartOf(options, request, source);
    if (!isUncompiled) return found;
    first ??= found.ok ? found : fail(`${file} is included by ${source}, and there ${found.problem}`);
  }
  return first;
}

interface TriedPart {
  readonly found: Outcome<FoundWorkload, string>;
  /** What was compiled lacks something, or an instance of the kernel. */
  readonly isUncompiled: boolean;
}

/** The kernel as a part of what is compiled: its own file, or a source that includes it. */
async function asPartOf(
  options: BareLaunchOptions,
  request: WorkloadRequest,
  main: string,
): Promise<TriedPart> {
  const { file, text, kernel } = request;
  const known = (found: TriedPart["found"]): TriedPart => ({ found, isUncompiled: false });
  const specFolder = commonFolder(file, main);
  const base = fromFolder(specFolder, file);
  const from = file.endsWith(".py") ? undefined : await compiledFrom(options, request, main);
  const plain = withPlainParameters(text, Object.values(from?.tree ?? {}));
  const grammars = await options.grammars();
  const read = withSource(grammars, file, plain, (source) => ({
    proposal: inferSpec(source, base, kernel),
    facts:
      source.dialect === "cuda"
        ? withHeaders(grammars, { file, tree: from?.tree ?? {} }, (headers) =>
            cudaLaunchFacts(source, kernel, headers),
          )
        : undefined,
  }));
  if (read === undefined) return known(fail(`${file} is no CUDA or Triton source`));
  if (read.facts === undefined || from === undefined) return known(read.proposal);
  const asIncluded = (found: InferredSpec): FoundWorkload =>
    main === file ? found : { ...withIncluder(found, fromFolder(specFolder, main)), specFolder };
  const probed = await probeKernel(options, request, { ...read, facts: read.facts, base, from });
  if (probed.ok) return known(succeed(asIncluded(probed.value)));
  const found = withoutProbe(kernel, read.proposal, probed.problem);
  return {
    found: found.ok ? succeed(asIncluded(found.value)) : found,
    isUncompiled: isUncompiled(probed.problem.sentence) || isUninstantiated(probed.problem.sentence),
  };
}

/** What the text proposes for a kernel that could not be probed, where that is enough. */
function withoutProbe(
  kernel: string,
  proposal: Outcome<InferredSpec, string>,
  { sentence, of }: ProbeProblem,
): Outcome<InferredSpec, string> {
  if (isUninstantiated(sentence)) return fail(`${sentence}; ${addInstance(kernel)}`);
  if (!proposal.ok || of === "taken") return fail(sentence);
  // With sizes that are guesses too a fault would say nothing, and a result no more.
  if (of === "launched" && !isKnown(proposal.value)) return fail(notLaunched(sentence));
  if (of === "opened" && isUncompiled(sentence)) return succeed(uncompiled(proposal.value));
  return succeed(asGuess(proposal.value, sentence));
}

function withIncluder(found: InferredSpec, includedBy: string): InferredSpec {
  const { run } = found.spec;
  if (run.kind === "entry") return found;
  const launch = { ...run.launch, includedBy };
  const origins = { ...found.spec.origins, "launch.includedBy": "inferred" as const };
  return { ...found, spec: { ...found.spec, run: { ...run, launch }, origins } };
}

/** Headers of more characters than this are not looked through for types and constants. */
const mostHeaderText = 1_000_000;

/** Asks with all that a file includes as one tree. */
function withHeaders<Result>(
  grammars: Grammars,
  { file, tree }: Pick<CompiledFrom, "tree"> & Pick<WorkloadRequest, "file">,
  ask: (headers: SyntaxNode | undefined) => Result,
): Result {
  const texts = Object.entries(tree).flatMap(([path, text]) => (path === file ? [] : text));
  const text = texts.join("\n");
  if (text === "" || text.length > mostHeaderText) return ask(undefined);
  const parsed = grammars.cuda.parse(prepareText(text));
  try {
    return ask(parsed.root);
  } finally {
    parsed.dispose();
  }
}

async function compiledFrom(
  { files, builds }: BareLaunchOptions,
  { file }: WorkloadRequest,
  main: string,
): Promise<CompiledFrom> {
  const build = await builds.settingsFor(main);
  const specFolder = commonFolder(file, main);
  return {
    build,
    tree: await readTree(files, [...new Set([main, file])], { specFolder, build }),
    file: main,
  };
}

/** A path below a folder, relative to it. */
function fromFolder(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** Whether the text tells the whole launch. */
function isKnown({ unknowns }: InferredSpec): boolean {
  return unknowns.every(({ path }) => path === "reference");
}

function notLaunched(why: string): string {
  return `the kernel could not be launched to see what it touches: ${why}`;
}

/**
 * A spec that only shows what the compiler says: whatever else were asked would not matter yet, and no size
 * would be too large.
 */
function uncompiled({ spec }: InferredSpec): InferredSpec {
  const sizes = Object.fromEntries(Object.keys(spec.shapes[0]?.sizes ?? {}).map((name) => [name, 1]));
  return { spec: { ...spec, shapes: [{ sizes }], origins: { launch: "guessed" } }, unknowns: [] };
}

/** Of a template without instance nothing runs, whatever else were known. */
function isUninstantiated(problem: string): boolean {
  return problem.includes("a template needs a launch or an explicit instance");
}

function addInstance(kernel: string): string {
  return `add one behind the kernel, as in "template __global__ void ${kernel}<float>(parameters);"`;
}

function isUncompiled(problem: string): boolean {
  return problem.startsWith("it does not compile");
}

/** A spec that no run has confirmed: each fact with a sentence is a guess. */
function asGuess({ spec, unknowns }: InferredSpec, why: string): InferredSpec {
  const origins = Object.fromEntries(
    unknowns.filter(({ path }) => path !== "reference").map(({ path }) => [path, "guessed" as const]),
  );
  const first = { path: "launch", sentence: `${notLaunched(why)}.` };
  return {
    spec: { ...spec, origins: { ...spec.origins, ...origins, launch: "guessed" } },
    unknowns: [first, ...unknowns],
  };
}
