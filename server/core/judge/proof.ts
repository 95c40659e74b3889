/** What is asked of all launches of a kernel that differ in their sizes alone. */
export type ProofQuestion = "in-bounds" | "aligned" | "race-free";

/** What is known for all sizes, beside what was run at some. */
export interface ProofAnswer {
  readonly question: ProofQuestion;
  /** `not-decided` says nothing against the kernel: only that this procedure did not come to an end. */
  readonly outcome: "proved" | "not-decided";
  /** How many accesses, or pairs of them, the question is about. */
  readonly asked: number;
  /** Of how many the answer is not known. */
  readonly open: number;
  /** Why not, of the first of them, and where. */
  readonly why?: string;
  readonly file?: string;
  /** One-based. */
  readonly line?: number;
}

/** What was shown of a kernel without running it, and what it rests on. */
export interface KernelProof {
  readonly kernel: string;
  readonly answers: readonly ProofAnswer[];
  /** What the answers take for granted, in clauses. */
  readonly assumed: readonly string[];
}
