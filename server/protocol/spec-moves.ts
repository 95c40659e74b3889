/** Where files are by now that were renamed since a session, by where they were. */
export interface MovedParams {
  readonly moved?: readonly (readonly [from: string, to: string])[];
}

/** Files that are about to have other addresses. */
export interface MoveSpecsParams {
  readonly files: readonly { readonly oldUri: string; readonly newUri: string }[];
}

/** A kernel spec that follows a renamed file. */
export interface MovedSpecView {
  readonly uri: string;
  /** Where it goes; its own address where it stays, or where the editor moves it anyway. */
  readonly to: string;
  /** As it has to be from then on. */
  readonly text: string;
}
