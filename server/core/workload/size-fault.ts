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
 * callers get an Outcome, and many ask about texts that are no sizes. So it is no Error: to collect its stack
 * takes longer than to evaluate an expression.
 */
export class SizeFault {
  constructor(
    readonly column: number,
    readonly message: string,
  ) {}
}
