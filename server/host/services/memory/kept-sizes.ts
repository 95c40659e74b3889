import { OperationalError } from "../../../core/base/operational-error";
import type { RunStore, SessionRecord, SessionSummary } from "../../../core/ports/run-store";
import { defaultTarget, formatTarget } from "../../../core/timing/target";
import { describeSizes } from "../../../core/words/describe";
import { parseKernelSpec } from "../../../core/workload/spec-parse";
import { writeKernelSpec } from "../../../core/workload/spec-write";
import type { KernelSpec } from "../../../core/workload/spec";
import type { FoundSpec, InferenceOptions, KernelName, SpecService } from "../services";

/** Where sessions are looked up. */
interface SizesMemory {
  readonly store: Pick<RunStore, "list" | "read" | "loadText">;
  readonly workspaceDigest: string;
}

/**
 * Specs of kernels that nobody wrote one for, with the sizes of the kernel's last session: inference chooses
 * sizes by how a text launches its kernel, which an accepted change may have changed, and figures at other
 * sizes do not compare. Where the kernel is called in another way than then, the spec only says so.
 */
export function withKeptSizes<Finder extends Pick<SpecService, "find" | "infer">>(
  specs: Finder,
  memory: SizesMemory,
): Finder {
  const kept = async (found: FoundSpec, target = defaultTarget): Promise<FoundSpec> => {
    if (!found.inferred) return found;
    const last = await lastSession(memory, found, formatTarget(target));
    return last === undefined ? found : withSizesOf(last, found);
  };
  return {
    ...specs,
    find: async (name: KernelName, how?: InferenceOptions) => kept(await specs.find(name, how), how?.target),
    infer: async (name, how) => kept(await specs.infer(name, how), how.target),
  };
}

/** What the newest session on a kernel without a spec file was judged on; undefined where there is none. */
async function lastSession(
  { store, workspaceDigest }: SizesMemory,
  { spec, specFolder }: FoundSpec,
  target: string,
): Promise<KernelSpec | undefined> {
  const file = specFolder === "" ? spec.file : `${specFolder}/${spec.file}`;
  const isSame = (summary: SessionSummary): boolean =>
    summary.workspace === workspaceDigest &&
    summary.file === file &&
    summary.kernel === spec.kernel &&
    summary.target === target &&
    summary.candidates > 0;
  const newest = (await store.list()).find(isSame);
  if (newest === undefined) return undefined;
  try {
    return await recordedSpec(store, await store.read(newest.sessionId));
  } catch (thrown) {
    // A log that cannot be read has nothing to keep to.
    if (thrown instanceof OperationalError) return undefined;
    throw thrown;
  }
}

async function recordedSpec(
  store: SizesMemory["store"],
  { state: { task } }: SessionRecord,
): Promise<KernelSpec | undefined> {
  // What a file said then, it says now, or its user has changed it.
  if (task === undefined || task.specPath !== "") return undefined;
  const parsed = parseKernelSpec(await store.loadText(task.specText));
  return parsed.ok ? parsed.value : undefined;
}

function withSizesOf(last: KernelSpec, found: FoundSpec): FoundSpec {
  const { spec } = found;
  const [then, now] = [keyOf(last), keyOf(spec)];
  if (then === now) return found;
  // As it would be read back: writing a spec leaves out what goes without saying.
  const written = parseKernelSpec(found.text);
  if (written.ok && isCalledAlike(last, written.value)) {
    const { pricedAt: _now, ...unpriced } = spec;
    const { pricedAt } = last;
    const kept = { ...unpriced, shapes: last.shapes, ...(pricedAt && { pricedAt }) };
    return { ...found, spec: kept, text: writeKernelSpec(kept, unknownsOf(found)), chosenSizes: spec.shapes };
  }
  const sizes = last.shapes.find(({ heldOut }) => heldOut !== true)?.sizes ?? {};
  const where = Object.keys(sizes).length === 0 ? "" : ` (${describeSizes(sizes)})`;
  return {
    ...found,
    remark: `The kernel is called in another way than in its last session, so that its sizes are others than there${where}: figures do not compare`,
  };
}

function unknownsOf({ unknowns }: FoundSpec): Parameters<typeof writeKernelSpec>[1] {
  return unknowns.map((unknown) => {
    const end = unknown.indexOf(": ");
    return { path: unknown.slice(0, end), sentence: unknown.slice(end + 2) };
  });
}

function keyOf({ shapes, pricedAt = {} }: Pick<KernelSpec, "shapes" | "pricedAt">): string {
  return JSON.stringify([
    shapes.map(({ sizes, values = {}, heldOut = false }) => [
      Object.entries(sizes).sort(),
      Object.entries(values).sort(),
      heldOut,
    ]),
    Object.entries(pricedAt).sort(),
  ]);
}

/** Whether two specs say the same of all but sizes; data of a recording belong to their sizes. */
function isCalledAlike(one: KernelSpec, other: KernelSpec): boolean {
  const isRecorded = [...one.shapes, ...other.shapes].some(
    ({ recorded, results }) => recorded !== undefined || results !== undefined,
  );
  const rest = ({ file, run, inputs, outputs, reference, program }: KernelSpec): string =>
    JSON.stringify([file.split("/").at(-1), run, inputs, outputs, reference, program]);
  return !isRecorded && rest(one) === rest(other) && namesOf(one) === namesOf(other);
}

function namesOf({ shapes }: KernelSpec): string {
  return JSON.stringify(
    shapes
      .slice(0, 1)
      .map(({ sizes, values = {} }) => [Object.keys(sizes).sort(), Object.keys(values).sort()]),
  );
}
