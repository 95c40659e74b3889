/** One check inside the extension host of VS Code. */
export interface EditorCase {
  readonly name: string;
  /** When given, the case runs only in a window whose trust is so. */
  readonly trusted?: boolean;
  /** Fails by throwing; `node:assert/strict` says it best. */
  run(): Promise<void>;
}

/** How a case ended; `failure` is the stack of what it threw. */
export interface CaseResult {
  readonly name: string;
  readonly milliseconds: number;
  /** Processor time that the extension host, with all of its threads, took meanwhile. */
  readonly processorMilliseconds: number;
  readonly failure?: string;
}
