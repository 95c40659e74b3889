/**
 * A value while an expression is evaluated: a real one comes from a literal with a point or a cast, and must
 * be made whole again.
 */
export interface SizeValue {
  readonly value: number;
  readonly real: boolean;
}

/**
 * How the parts of the size-expression evaluator report a problem to each other. It never leaves them:
 * callers get an Outcome.
 */
export class SizeFault extends Error {
  constructor(
    readonly column: number,
    message: string,
  ) {
    super(message);
  }
}
