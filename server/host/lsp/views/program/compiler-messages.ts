/** An error of a compiler or a linker with its place. */
interface CompilerMessage {
  /** As the compiler wrote it. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** One-based; 1 where only the line is told. */
  readonly column: number;
  readonly message: string;
}

/** How tools write an error with a place: CUDA's front end, the host compiler, the linker, our own text. */
const forms: readonly RegExp[] = [
  /^(?<file>\S.*?)\((?<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?<message>.*)$/,
  /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?:fatal )?error: (?<message>.*)$/,
  /^(?:\S*ld: )?(?<file>[^\s:][^:]*):(?<line>\d+): (?<message>(?:undefined reference|multiple definition|the virtual GPU's runtime has no) .*)$/,
];

/** Blanks in front of a line that goes on with the message before it. */
const further = " ".repeat(10);

/**
 * The errors that a compiler's or a linker's output tells with a place, each once, in its order. What
 * explains one further is added to it; the excerpt of the source, and the marks below that, are not.
 */
export function compilerMessages(said: string): readonly CompilerMessage[] {
  const found = new Map<string, CompilerMessage>();
  let last: string | undefined;
  for (const line of said.split(/\r?\n/)) {
    const groups = forms.map((form) => form.exec(line)?.groups).find((each) => each !== undefined);
    if (groups !== undefined) {
      const { file = "", line: number = "", column = "1", message = "" } = groups;
      last = [file, number, column, message].join("\n");
      found.set(last, { file, line: Number(number), column: Number(column), message: message.trim() });
      continue;
    }
    const known = last === undefined ? undefined : found.get(last);
    if (last === undefined || known === undefined || !line.startsWith(further) || isMark(line)) continue;
    found.set(last, { ...known, message: `${known.message} ${line.trim()}` });
  }
  return [...found.values()];
}

function isMark(line: string): boolean {
  return /^[\s^~|]*$/.test(line);
}
