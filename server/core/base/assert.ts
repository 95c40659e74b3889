/**
 * Thrown for a bug in Kernelwright itself, never for bad input. Caught at the request router and at the agent
 * turn only.
 */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** States what must be true whatever the input is; a failure is a bug of ours. */
export function invariant(condition: unknown, statement: string): asserts condition {
  if (!condition) throw new InvariantError(statement);
}

/** Makes an exhaustive switch a compile error when a kind is added. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value: ${JSON.stringify(value)}`);
}
