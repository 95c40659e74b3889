export interface StackOptions {
  /**
   * Bytes of stack a thread has for calls, and as much again for frames of recursive functions and alloca: 16
   * KiB when left out.
   */
  readonly stackBytes?: number;
}

const defaultStackBytes = 16 * 1024;
const maximumStackBytes = 512 * 1024;

/** The stack that a kernel gets when it needs one, in whole units of 256 bytes. */
export function stackBytesOf({ stackBytes = defaultStackBytes }: StackOptions): number {
  return Math.ceil(Math.min(Math.max(stackBytes, 256), maximumStackBytes) / 256) * 256;
}

/**
 * Bytes of a thread's call stack: what the options say for recursion, else as much as the calls can ever take
 * (8 bytes each).
 */
export function callStackBytes(
  { callDepth }: { readonly callDepth: number | undefined },
  options: StackOptions,
): number {
  return callDepth === undefined
    ? stackBytesOf(options)
    : Math.min(Math.ceil(callDepth / 8) * 64, maximumStackBytes);
}
