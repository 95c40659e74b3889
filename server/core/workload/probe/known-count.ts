import { evaluateSizeExpression } from "../size-expression";
import type { SizeExpression } from "../spec";
import type { FittedBuffer } from "./judge-probe";

/**
 * What is known of a launch: its grid, the numbers of blocks in it that nothing tells, and what it touches.
 */
interface CountedLaunch {
  readonly grid: readonly SizeExpression[];
  readonly counts: readonly string[];
  readonly buffers: readonly FittedBuffer[];
}

/**
 * A launch whose number of blocks nothing bounds, beside a buffer that is of one length whatever that
 * number is: of a kernel for a fixed number of elements. There are then as many blocks as make the other
 * buffers as long.
 */
export function withKnownCount<Launch extends CountedLaunch>(
  launch: Launch,
  names: readonly string[],
): Launch {
  const [count, ...further] = launch.counts;
  if (count === undefined || further.length > 0 || names.length > 0) return launch;
  const extents = launch.buffers.flatMap(({ extent }) => extent ?? []);
  const [fixed, ...others] = new Set(extents.filter((extent) => typeof extent === "number" && extent > 1));
  const followers = extents.filter((extent) => typeof extent === "string");
  if (typeof fixed !== "number" || others.length > 0 || followers.length === 0) return launch;
  const each = new Set(followers.map((extent) => valueOf(extent, { [count]: 1 })));
  const [elements, ...unequal] = each;
  if (elements === undefined || unequal.length > 0 || fixed % elements !== 0) return launch;
  const blocks = { [count]: fixed / elements };
  if (followers.some((extent) => valueOf(extent, blocks) !== fixed)) return launch;
  const settled = (extent: SizeExpression): SizeExpression => valueOf(extent, blocks) ?? extent;
  return {
    ...launch,
    grid: launch.grid.map(settled),
    counts: [],
    buffers: launch.buffers.map((buffer) =>
      buffer.extent === undefined ? buffer : { ...buffer, extent: settled(buffer.extent) },
    ),
  };
}

function valueOf(extent: SizeExpression, sizes: Readonly<Record<string, number>>): number | undefined {
  const outcome = evaluateSizeExpression(extent, sizes);
  return outcome.ok ? outcome.value : undefined;
}
