import { entry } from "../../../../../core/base/known";
import { elementBytes, elementOf } from "../../../../../core/workload/probe/judge-probe";
import type { Setting } from "../../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type { BoundTrials, SeenBefore } from "./bound-trials";
import type { FoundIndex } from "../find-indices";

/** No number of a row is as large as this. */
const farNumber = 1_000_000;
/** Parts of a range, in an order in which neighbours differ in either direction. */
const mixedParts = [1, 0, 0.5, 1, 0.25, 0, 0.75];

/**
 * Floats that say where others are touched, such as labels that are stored as floats: large ones lead
 * behind the end of a buffer. They stay below the greatest size with which none does; where there is none,
 * nothing is known of them.
 */
export async function findFloatBounds(trials: BoundTrials, seen: SeenBefore): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  for (const { name, isRead, isWritten } of seen.buffers) {
    const { dtype } = elementOf(seen.elements, name).type;
    if (!isRead || isWritten || seen.known.has(name) || !dtype.includes("float")) continue;
    if (await staysInside(trials, { name, seen, values: () => [farNumber] })) continue;
    const bounds: string[] = [];
    for (const size of seen.sizes) {
      const values = (sizes: Setting): readonly number[] =>
        mixedParts.map((part) => Math.round(part * (entry(sizes, size) - 1)));
      if (await staysInside(trials, { name, seen, values })) bounds.push(size);
    }
    const sum = (size: string): number =>
      seen.probes.settings.reduce((total, sizes) => total + entry(sizes, size), 0);
    const [bound] = bounds.sort((one, other) => sum(other) - sum(one));
    if (bound === undefined) continue;
    found.push({
      ...{ index: name, into: "", rows: "", isNew: false, row: 1, base: 0 },
      distribution: { kind: "range", low: 0, high: `${bound} - 1` },
    });
  }
  return found;
}

interface Trial {
  readonly name: string;
  readonly seen: SeenBefore;
  readonly values: (sizes: Setting) => readonly number[];
}

/** Whether calls with such values in turn run, and go behind the end of no buffer that has one. */
async function staysInside(
  { contents, once }: BoundTrials,
  { name, seen: { probes, buffers, elements }, values }: Trial,
): Promise<boolean> {
  try {
    for (const sizes of probes.settings) {
      contents.set(name, { kind: "cycle", values: values(sizes) });
      const now = await once(sizes);
      if (!now.ok) return false;
      const isOutside = now.value.buffers.some(({ name: touched, read, written }) => {
        const extent = buffers.find((each) => each.name === touched)?.extent;
        const end = extent === undefined ? undefined : evaluateSizeExpression(extent, sizes);
        const spans = [read, written].flatMap((span) => span ?? []);
        const last = Math.max(0, ...spans.map(({ to }) => to));
        const isBefore = spans.some(({ from }) => from < 0);
        return isBefore || (end?.ok === true && last > end.value * elementBytes(elements, touched));
      });
      if (isOutside) return false;
    }
    return true;
  } finally {
    contents.delete(name);
  }
}
