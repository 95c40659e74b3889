/** Reference to content kept apart from the log. `preview` is the first 512 characters of a text. */
export interface BlobReference {
  readonly $blob: `sha256:${string}`;
  readonly bytes: number;
  readonly media_type: string;
  readonly preview?: string;
}

/** Short text inline, long text (over 8 KiB) as a blob. */
export type StoredText = string | BlobReference;

export interface StoredUsage {
  readonly input_uncached: number | null;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
  readonly output: number | null;
  readonly reasoning: number | null;
}
