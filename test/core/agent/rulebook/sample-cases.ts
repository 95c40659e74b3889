import type { CounterName } from "../../../../server/core/timing/counters";

/**
 * A sample, the lines at fault (by what stands on them, before and after), and what the rulebook makes of
 * them on the first shape of the spec.
 */
export interface SampleCase {
  readonly file: string;
  /** Rules whose rewrite was kept, in order. */
  readonly won: readonly string[];
  /** Rules whose rewrite was correct, but no gain on this shape. */
  readonly dropped: readonly string[];
  /** How many candidates there may be, where more show nothing else; 24 when left out. */
  readonly candidates?: number;
  readonly lines: RegExp;
  readonly counter: CounterName;
  readonly before: number;
  readonly after: number;
}

export const sampleCases: readonly SampleCase[] = [
  {
    file: "vector_add.cu",
    won: ["cuda-interleave-thread-items", "cuda-vectorize-items", "cuda-whole-warp-blocks"],
    dropped: [],
    lines: /a\[i\] \+ b\[i\]|const float4/,
    counter: "globalLoadSectors",
    before: 131_072,
    after: 16_384,
  },
  {
    file: "softmax.cu",
    won: ["cuda-keep-row-in-registers", "cuda-fast-math", "cuda-reuse-kept-expression"],
    dropped: ["cuda-reuse-kept-expression"],
    lines: /expf\(row/,
    counter: "globalLoadSectors",
    before: 16_000,
    after: 0,
  },
  {
    file: "transpose.cu",
    won: ["cuda-pad-shared-tile"],
    dropped: [],
    lines: /= tile\[/,
    counter: "sharedWavefronts",
    before: 65_536,
    after: 2048,
  },
  {
    file: "matmul.cu",
    won: ["cuda-swap-thread-axes"],
    dropped: ["cuda-enlarge-shared-tile"],
    lines: /a\[row \* k/,
    counter: "globalLoadSectors",
    before: 65_536,
    after: 16_384,
  },
  {
    file: "vector_add.py",
    won: ["triton-raise-block-size", "triton-sweep-warps"],
    dropped: ["triton-fewer-warps", "triton-sweep-warps", "triton-raise-block-size"],
    lines: /tl\.load/,
    counter: "globalLoadSectors",
    before: 32_768,
    after: 16_384,
  },
  {
    file: "softmax.py",
    won: ["triton-fuse-row-passes", "triton-sweep-warps"],
    dropped: ["triton-rows-each"],
    lines: /tl\.load/,
    counter: "globalLoadSectors",
    before: 24_000,
    after: 8000,
  },
  {
    file: "matmul.py",
    candidates: 7,
    won: ["triton-tensor-core-dot", "triton-longer-sums"],
    dropped: [
      "triton-split-loop",
      "triton-split-loop",
      "triton-sweep-warps",
      "triton-enlarge-dot-tile",
      "triton-enlarge-dot-tile",
    ],
    lines: /tl\.dot/,
    counter: "tensorInstructions",
    before: 0,
    after: 1024,
  },
];
