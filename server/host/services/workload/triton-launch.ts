import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import { inclusiveBounds, tritonLaunchFacts } from "../../../core/language/triton/launch-facts";
import type { FileReader } from "../../../core/ports/files";
import type { TritonProber } from "../../../core/ports/prober";
import { withMaskOverruns } from "../../../core/workload/probe/overrun";
import { itemBytes } from "../../../core/workload/item-bytes";
import { drawIn } from "../sources/draw-in";
import type { FoundWorkload, WorkloadFinder, WorkloadRequest } from "./finders";
import { exploreKernel } from "./probing/explore-kernel";
import { type OpenedTriton, openTriton, plannedFor } from "./probing/open-triton";
import { ProbeSession } from "./probing/probe-session";
import { probedWorkload } from "./probing/spec/probed-spec";
import { launchedByExpression } from "./probing/triton-call";

interface TritonLaunchOptions {
  readonly files: FileReader;
  readonly grammars: () => Promise<Grammars>;
  readonly prober: TritonProber;
}

const mostFiles = 2000;
/** A size that one block has to cover alone is no larger in a shape. */
const mostCovered = 4096;

/**
 * A Triton kernel that nothing launches, launched by itself on roomy buffers until a grid and extents explain
 * what it touches. What its text does not tell (types of elements, sizes of blocks) is chosen and said.
 */
export function tritonLaunch({ files, grammars, prober }: TritonLaunchOptions): WorkloadFinder {
  return {
    looksFor: "a launch of the Triton kernel by itself",
    find: async (request) => {
      const { file, text, kernel } = request;
      const read = withSource(await grammars(), file, text, (source) => ({
        facts: tritonLaunchFacts(source, kernel),
        inclusive: inclusiveBounds(source, kernel),
      }));
      if (read?.facts === undefined) return fail("what it is launched with cannot be read from its text");
      const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
      const tree = await drawIn(
        files,
        { [file]: text },
        { root: folder, includeFolders: [] },
        (sofar) => Object.keys(sofar).length < mostFiles,
      );
      const opened = await openTriton(prober, { request, tree }, read.facts);
      if (!opened.ok) return fail(`launched by itself, ${opened.problem}`);
      return explored(request, opened.value, read.inclusive);
    },
  };
}

async function explored(
  { file, kernel, text: source }: WorkloadRequest,
  { compiled, facts }: OpenedTriton,
  inclusive: ReadonlySet<string>,
): Promise<Outcome<FoundWorkload, string>> {
  const planned = plannedFor(facts, { kernel, text: source });
  const elements = new Map(
    planned.flatMap((each) =>
      each.kind === "buffer" ? [[each.name, { type: each.type, itemBytes: itemBytes[each.type.dtype] }]] : [],
    ),
  );
  const constants = facts.filter((each) => each.kind === "constant");
  const spans = [
    ...new Set(
      constants.flatMap(({ span, isOfGrid }) => (span !== undefined && isOfGrid === true ? span : [])),
    ),
  ];
  const session = new ProbeSession(compiled, planned);
  const sizes = facts.filter((each) => each.kind === "whole");
  const text = {
    spans,
    // The innermost ones are 1, and no sizes.
    strides: new Set(sizes.flatMap(({ name, stride }) => (stride === "outer" ? name : []))),
    within: new Set(sizes.flatMap(({ name, isWithin }) => (isWithin ? name : []))),
  };
  const seen = await exploreKernel(session, { sites: [], blocks: () => [], text }, elements);
  if (!seen.ok) return seen;
  if (!seen.value.launch.buffers.some(({ isWritten }) => isWritten))
    return fail(
      `${kernel} wrote through none of its parameters when it was launched: there is no output to check`,
    );
  const covered = new Set(constants.flatMap(({ covers }) => covers ?? []));
  const { step } = seen.value.launch;
  const { inferred } = probedWorkload({
    file: file.slice(file.lastIndexOf("/") + 1),
    ...{ kernel, dialect: "triton", text: source },
    planned: session.planned,
    layout: session.layout,
    elements,
    ...seen.value,
    launch: { ...seen.value.launch, buffers: withMaskOverruns(seen.value.launch.buffers, inclusive) },
    compiled: { sharedBytes: 0, instance: [] },
    proposal: undefined,
    nearest: (name, value) =>
      step * Math.max(1, Math.round((covered.has(name) ? Math.min(value, mostCovered) : value) / step)),
  });
  return succeed(launchedByExpression(inferred, facts));
}
