import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../architecture/project";

/** Folder of the kernels: each a file, most with a kernel spec of their own beside them. */
export const unseenFolder = join(projectRoot, "test", "cases", "unseen");

/** What was planted. */
export const INEFFICIENCIES = [
  "accumulate-in-memory",
  "array-of-structures",
  "bank-conflict",
  "constant-divergence",
  "contended-atomics",
  "converted-copies",
  "dependent-loads",
  "device-copies",
  "divergence",
  "double-arithmetic",
  "host-waits",
  "integer-division",
  "linear-search",
  "load-imbalance",
  "local-memory",
  "low-occupancy",
  "many-launches",
  "needless-barrier",
  "no-tensor-cores",
  "operands-reread",
  "overwritten-stores",
  "rearranged-copies",
  "recompiled-sizes",
  "recomputed-values",
  "reduction-tree",
  "redundant-loads",
  "repeated-allocation",
  "repeated-factor",
  "repeated-input",
  "restarted-sums",
  "row-passes",
  "scalar-access",
  "scalar-loop",
  "scan-by-steps",
  "separable-window",
  "shared-operands",
  "slow-math",
  "small-block",
  "small-grid",
  "small-tile",
  "strided-threads",
  "swapped-axes",
  "thread-per-row",
  "transposed-access",
  "unfused",
  "warps",
  "wide-index",
  "wide-operands",
] as const;

const entrySchema = z.strictObject({
  file: z.string(),
  kernel: z.string(),
  /** How it comes: with a kernel spec, with its own program, or by itself. */
  kind: z.enum(["spec", "program", "bare"]),
  inefficiency: z.enum(INEFFICIENCIES),
  /** What is wasted and what an expert would do. The authors of those that have it had read no rule. */
  planted: z.string().optional(),
  /** How many times less an expert's version takes in the modelled bound, where the floor is out of reach. */
  expert: z.number().min(1).optional(),
  /** Rules whose rewrites win, as far as they were seen to. */
  rules: z.array(z.string()).optional(),
  /** True for those that nobody looks at while rules are written. */
  held: z.boolean(),
});

/** One kernel with its planted inefficiency. */
export type UnseenKernel = z.infer<typeof entrySchema>;

/** All kernels, in the order of the index. */
export function unseenKernels(): readonly UnseenKernel[] {
  return z.array(entrySchema).parse(JSON.parse(readFileSync(join(unseenFolder, "index.json"), "utf8")));
}
