import { untouchedElements } from "../evaluation/buffers";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { OracleSession } from "../evaluation/oracle-session";

/** What runs a kernel on made inputs. */
interface Means {
  readonly oracle: OracleSession;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** How many different inputs are tried. */
const draws = 2;

/**
 * Outputs of which a kernel leaves other elements unwritten for other inputs of the same shape: whether an
 * element is written depends on what the inputs hold, so whoever launches the kernel has to have filled them.
 * Elements that no inputs lead to are none of these: a launch that is too small leaves them out.
 */
export async function sparseOutputs(
  shape: ResolvedShape,
  { oracle, session, signal }: Means,
): Promise<readonly string[]> {
  const seen: (readonly string[])[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const made = await oracle.make(shape, "declared", signal);
    const request = { shape, inputs: made.inputs, counters: false, detectors: false, signal };
    const first = await session.run(request);
    const second = await session.run({ ...request, fill: "second" });
    await oracle.forget(made);
    if (first.kind !== "ran" || second.kind !== "ran") return [];
    seen.push(
      shape.outputs.map((output, index) => {
        const [one, other] = [first.outputs[index], second.outputs[index]];
        if (one === undefined || other === undefined) return "";
        return untouchedElements(output, { first: one, second: other }).join();
      }),
    );
  }
  const isSparse = (index: number): boolean => new Set(seen.map((each) => each[index])).size > 1;
  return shape.outputs.flatMap(({ name }, index) => (isSparse(index) ? name : []));
}
