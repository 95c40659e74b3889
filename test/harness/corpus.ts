import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../architecture/project";

/** Folder of the corpus: one workspace a folder, as a stranger brings it, and nothing of ours in it. */
export const corpusFolder = join(projectRoot, "test", "cases", "workloads");

/** How a kernel comes: what beside it says how it is launched. */
export const CORPUS_KINDS = ["launcher", "program", "bare", "triton", "torch", "header", "none"] as const;

const entrySchema = z.strictObject({
  /** FOLDER, or FOLDER/WORD for a further kernel of the folder. */
  id: z.string(),
  kind: z.enum(CORPUS_KINDS),
  folder: z.string(),
  /** FILE::NAME, relative to the folder; where there is no kernel yet, of what names the task. */
  kernel: z.string().regex(/^[^:]+::\w+$/),
  files: z.array(z.string()).min(1),
  /** Sources of the program that has to be run, and options of the compiler. */
  program: z.array(z.string()).min(1).optional(),
  options: z.array(z.string()).optional(),
  /** FILE::NAME of the host function that is called. */
  entry: z
    .string()
    .regex(/^[^:]+::[\w.]+$/)
    .optional(),
  /** A Python script, where it is the only caller. */
  script: z.string().optional(),
  special: z.string(),
  /** Absent where there is no kernel. */
  correct: z.boolean().optional(),
  verdict: z.enum(["correct", "wrong", "faulted", "question"]),
  /** What the question is about, where the verdict is one. */
  about: z.string().optional(),
  /** What may be asked instead of giving the verdict: it cannot be known from the files. */
  mayAsk: z.string().optional(),
  /**
   * How we know that a correct kernel is: its own program compares it, a program of `workload-proofs` does,
   * the figures of its program are plausible, or it was only read.
   */
  verified: z.enum(["itself", "proof", "plausible", "read"]).optional(),
  /** Part of the share that `npm test` runs. */
  quick: z.boolean().optional(),
});

/** One kernel of the corpus. */
export type CorpusEntry = z.infer<typeof entrySchema>;

/** All kernels of the corpus, in the order of its index. */
export function corpus(): readonly CorpusEntry[] {
  const text = readFileSync(join(corpusFolder, "corpus.json"), "utf8");
  return z.array(entrySchema).parse(JSON.parse(text));
}
