/** A segment as the seal holds it. */
export interface SealedSegment {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Where a log that was read would go on. */
export interface ReadSession {
  /** A sentence that names the event, when the log was changed after it was written. */
  readonly damaged?: string;
  readonly head: string;
  readonly nextSequence: number;
  readonly lastSegment: number;
  /** The tail of the last segment that is no whole line. */
  readonly torn: { readonly path: string; readonly keep: number; readonly bytes: number } | undefined;
  /** The segments without their torn tail, as a seal would hold them. */
  readonly segments: readonly SealedSegment[];
}
