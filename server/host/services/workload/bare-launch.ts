import { fail, succeed } from "../../../core/base/outcome";
import { cudaLaunchFacts } from "../../../core/language/cuda/launch/launch-facts";
import { prepareText } from "../../../core/language/cuda/prepare";
import { withPlainParameters } from "../../../core/language/cuda/type-macros";
import { type InferredSpec, inferSpec } from "../../../core/language/inference";
import { withSource } from "../../../core/language/source-file";
import type { Grammars, SyntaxNode } from "../../../core/language/tree";
import { readTree } from "../sources/source-tree";
import type { WorkloadFinder, WorkloadRequest } from "./finders";
import { type CompiledFrom, type ProbeMeans, probeKernel } from "./probing/probe-kernel";

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
      const { file, text, kernel } = request;
      const base = file.slice(file.lastIndexOf("/") + 1);
      const from = file.endsWith(".py") ? undefined : await compiledFrom(options, request);
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
      if (read === undefined) return fail(`${file} is no CUDA or Triton source`);
      if (read.facts === undefined || from === undefined) return read.proposal;
      const probed = await probeKernel(options, request, { ...read, facts: read.facts, base, from });
      if (probed.ok) return probed;
      const { sentence, of } = probed.problem;
      if (isUninstantiated(sentence)) return fail(`${sentence}; ${addInstance(kernel)}`);
      if (!read.proposal.ok || of === "taken") return fail(sentence);
      // With sizes that are guesses too a fault would say nothing, and a result no more.
      if (of === "launched" && !isKnown(read.proposal.value)) return fail(notLaunched(sentence));
      if (of === "opened" && isUncompiled(sentence)) return succeed(uncompiled(read.proposal.value));
      return succeed(asGuess(read.proposal.value, sentence));
    },
  };
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
): Promise<CompiledFrom> {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
  const build = await builds.settingsFor(file);
  return { build, tree: await readTree(files, [file], { specFolder: folder, build }) };
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
