export interface Comparison {
  readonly kind: "better" | "same" | "worse";
  /**
   * What decided: times on a GPU, the simulated time, the modelled bound, what the host takes beside them,
   * the target's own command, or the named counter where the bounds are equal.
   */
  readonly by: "measured" | "simulation" | "bound" | "host calls" | "command" | TieBreaker;
  /** Fraction saved of what decided, negative when the challenger needs more. */
  readonly gain: number;
  /** One sentence for the user and for the model. */
  readonly sentence: string;
}

export type TieBreaker =
  | "atomic passes"
  | "global sectors"
  | "shared wavefronts"
  | "warp instructions"
  | "places without a warp";
