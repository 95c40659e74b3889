import { at } from "../../../core/base/known";
import { noDoubts, type WorkloadDoubts } from "../../../core/workload/doubts";
import { overwrittenInputs, untouchedElements } from "../evaluation/buffers";
import type { ResolvedShape } from "../evaluation/case-shapes";
import { workLimit } from "../../process/work-clock";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { OracleSession } from "../evaluation/oracle-session";

/** What runs a kernel on made inputs. */
interface Means {
  readonly oracle: OracleSession;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** Shapes whose runs are looked at: the largest one only for what it leaves unwritten. */
export interface DoubtedShapes {
  readonly shape: ResolvedShape;
  readonly largest?: ResolvedShape;
}

/** Seconds of the processor for looking at the largest shape. */
const mostLargeSeconds = 3;
/** How many different inputs are tried. */
const draws = 2;

/**
 * Runs a kernel as it is on made inputs, to see what its workload has wrong. `sparse`: it leaves other
 * elements of an output unwritten for other inputs of the same shape. Whether an element is written depends
 * on what the inputs hold, so whoever launches the kernel has to have filled them. Elements that no inputs
 * lead to are none of these: a launch that is too small leaves them out.
 */
export async function workloadDoubts(
  { shape, largest }: DoubtedShapes,
  means: Means,
): Promise<WorkloadDoubts> {
  const found = await doubtsOf(shape, means);
  if (largest === undefined) return found;
  return { ...found, sparse: [...new Set([...found.sparse, ...(await sparseAt(largest, means))])] };
}

/** What many elements leave out, of which few may all be written by chance, as far as there is time. */
async function sparseAt(shape: ResolvedShape, means: Means): Promise<readonly string[]> {
  const limit = workLimit(mostLargeSeconds);
  try {
    const signal = AbortSignal.any([means.signal, limit.signal]);
    return (await doubtsOf(shape, { ...means, signal })).sparse;
  } catch (thrown) {
    if (limit.signal.aborted && !means.signal.aborted) return [];
    throw thrown;
  } finally {
    limit.stop();
  }
}

async function doubtsOf(shape: ResolvedShape, { oracle, session, signal }: Means): Promise<WorkloadDoubts> {
  const seen: (readonly string[])[] = [];
  const varying = new Set<string>();
  const overwritten = new Set<string>();
  for (let draw = 0; draw < draws; draw += 1) {
    const made = await oracle.make(shape, "declared", signal);
    const request = { shape, inputs: made.inputs, counters: false, detectors: false, signal };
    const first = await session.run(request);
    const second = await session.run({ ...request, fill: "second" });
    if (first.kind !== "ran" || second.kind !== "ran") {
      await oracle.forget(made);
      return noDoubts;
    }
    for (const name of overwrittenInputs(shape, first.findings)) overwritten.add(name);
    const untouched = shape.outputs.map((output, index) =>
      untouchedElements(output, { first: at(first.outputs, index), second: at(second.outputs, index) }),
    );
    seen.push(untouched.map((elements) => elements.join()));
    const differ = shape.outputs.filter(
      (_, index) =>
        at(untouched, index).length === 0 && !areEqual(at(first.outputs, index), at(second.outputs, index)),
    );
    // What was there before may count as well: only a run that begins as the first one did tells.
    const again = differ.length === 0 ? undefined : await session.run(request);
    await oracle.forget(made);
    if (again?.kind !== "ran") continue;
    for (const [index, output] of shape.outputs.entries())
      if (differ.includes(output) && !areEqual(at(first.outputs, index), at(again.outputs, index)))
        varying.add(output.name);
  }
  const isSparse = (index: number): boolean => new Set(seen.map((each) => each[index])).size > 1;
  return {
    sparse: shape.outputs.flatMap(({ name }, index) => (isSparse(index) ? name : [])),
    ...{ varying: [...varying], overwritten: [...overwritten] },
  };
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
