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
