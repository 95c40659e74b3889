import type { ProfiledLine, ProfileSummary } from "./profile";

/** A function or a line of the V8 format, with what stands below it. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly scriptId: string;
    readonly url: string;
    /** Zero-based. */
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly hitCount: number;
  readonly children: readonly number[];
}

/**
 * The V8 format of CPU profiles (`.cpuprofile`), which editors, browsers and flame graph viewers show. Times
 * are microseconds.
 */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const nanosecondsInMicrosecond = 1000;
const rootId = 1;

/**
 * The modelled time of kernels as a CPU profile: each kernel takes its modelled bound, divided among its
 * lines by their shares of the cost. `urlOf` gives the address of a file as the counters name it.
 */
export function cpuProfileOf(
  kernels: readonly ProfileSummary[],
  urlOf: (file: string) => string,
): CpuProfile {
  let lastId = rootId;
  const nodes: ProfileNode[] = [];
  const samples: { readonly node: number; readonly microseconds: number }[] = [];
  const kernelIds: number[] = [];
  for (const { kernel, bound, lines } of kernels) {
    const costly = lines.filter(({ share }) => share > 0);
    const id = ++lastId;
    kernelIds.push(id);
    const children = costly.map((line) => {
      const node = lineNode(++lastId, line, urlOf);
      samples.push({
        node: node.id,
        microseconds: (line.share * bound.nanoseconds) / nanosecondsInMicrosecond,
      });
      return node;
    });
    nodes.push(node({ id, functionName: kernel, children: children.map((child) => child.id) }), ...children);
  }
  return {
    nodes: [node({ id: rootId, functionName: "(root)", children: kernelIds }), ...nodes],
    startTime: 0,
    endTime: samples.reduce((sum, { microseconds }) => sum + microseconds, 0),
    samples: samples.map((sample) => sample.node),
    // Of the format: a sample lasts until the next one, and each delta is the time since the one before.
    timeDeltas: samples.map((_, index) => samples[index - 1]?.microseconds ?? 0),
  };
}

function lineNode(id: number, { counters }: ProfiledLine, urlOf: (file: string) => string): ProfileNode {
  const { file, line } = counters;
  const functionName = `${file.replace(/^.*\//, "")}:${line}`;
  return node({ id, functionName, children: [], url: urlOf(file), line: line - 1 });
}

function node({
  id,
  functionName,
  children,
  url = "",
  line = -1,
}: {
  readonly id: number;
  readonly functionName: string;
  readonly children: readonly number[];
  readonly url?: string;
  readonly line?: number;
}): ProfileNode {
  const callFrame = { functionName, scriptId: "0", url, lineNumber: line, columnNumber: 0 };
  return { id, callFrame, hitCount: children.length === 0 ? 1 : 0, children };
}
