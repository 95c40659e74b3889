/**
 * Something that set-up needs and cannot get. It is told to the user in three lines, with no stack trace:
 * what is missing, what works all the same, and one command that gets it.
 */
export class SetupProblem extends Error {
  /**
   * @param {{ piece: string, reason: string, stillWorks: string, command: string, cause?: unknown }} facts
   */
  constructor(facts) {
    super(`${facts.piece}: ${facts.reason}`, { cause: facts.cause });
    this.name = "SetupProblem";
    this.facts = facts;
  }
}

/** A failure whose message tells all: shown without a stack trace. */
export class PlainFailure extends Error {}

/** The command line cannot be understood; ends the program with code 2. */
export class UsageFailure extends PlainFailure {}

/**
 * The text that stands on the terminal for a problem or for any other error.
 * @param {unknown} error
 * @returns {string}
 */
export function describeProblem(error) {
  if (error instanceof SetupProblem) {
    const { piece, reason, stillWorks, command } = error.facts;
    return [
      `Missing: ${piece}`,
      `  why:         ${reason.split("\n").join("\n               ")}`,
      `  still works: ${stillWorks}`,
      `  get it with: ${command}`,
    ].join("\n");
  }
  if (error instanceof PlainFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
