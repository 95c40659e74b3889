/** Contents of buffers that programs handed to kernels, by their sha256. */
export interface Recordings {
  /**
   * The bytes of a recording. Throws `spec-invalid` when there is none: somebody has deleted it, or the spec
   * comes from another machine. `what`: for the message.
   */
  load(hash: string, what: string): Promise<Uint8Array>;
  /** Keeps bytes, once for equal ones, and gives their hash. Throws `storage-failed` when they do not fit. */
  keep(bytes: Uint8Array): Promise<string>;
}
