/** Randomness and hashing as a port. */
export interface Identity {
  /** A ULID: sorts by time. */
  ulid(): string;
  /** `bytes` random bytes as lower-case hex; unpredictable (seeds are secret). */
  randomHex(bytes: number): string;
  /** sha256 of UTF-8 text or of bytes, 64 lower-case hex digits. */
  sha256(content: string | Uint8Array): string;
}
