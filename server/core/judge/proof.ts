/** What is asked of all launches of a kernel that differ in their sizes alone. */
export type ProofQuestion = "in-bounds" | "aligned" | "race-free";

/** Sizes by their names in the spec. */
export type WitnessSizes = Readonly<Record<string, number>>;

/** A launch that the virtual GPU ran, and the thread of it that does what is not to happen. */
export interface ProofWitness {
  readonly sizes: WitnessSizes;
  /** Left out where the virtual GPU does not tell them. */
  readonly block?: readonly [number, number, number];
  readonly thread?: readonly [number, number, number];
  /** The second thread of a race. */
  readonly other?: {
    readonly block?: readonly [number, number, number];
    readonly thread?: readonly [number, number, number];
    readonly line: number;
  };
  /** Sizes here that are no multiple of what all listed ones are multiples of. */
  readonly unlike?: readonly { readonly size: string; readonly step: number }[];
}

/** What is known for all sizes, beside what was run at some. */
export interface ProofAnswer {
  readonly question: ProofQuestion;
  /**
   * `refuted`: a launch showed the contrary. `not-decided` says nothing against the kernel: only that this
   * procedure did not come to an end, and that no launch that was tried shows the contrary.
   */
  readonly outcome: "proved" | "refuted" | "not-decided";
  /** How many accesses, or pairs of them, the question is about. */
  readonly asked: number;
  /** Of how many the answer is not known. */
  readonly open: number;
  /** Why not, of the first of them, and where; what the virtual GPU said of the witness. */
  readonly why?: string;
  readonly file?: string;
  /** One-based. */
  readonly line?: number;
  /** There when it is refuted. */
  readonly witness?: ProofWitness;
  /** Launches at other sizes that were run to refute it, where it is not decided. */
  readonly tried?: number;
}

/** What was shown of a kernel without running it, and what it rests on. */
export interface KernelProof {
  readonly kernel: string;
  readonly answers: readonly ProofAnswer[];
  /** What the answers take for granted, in clauses. */
  readonly assumed: readonly string[];
}
