import { shellWords } from "./shell-words";

/** How a recipe or a script begins a program that was built beside it. */
const begun =
  /^\s*(?:[@-]\s*)*(?:\$\(\w+\)\s+|time\s+|exec\s+)*(\.\/\S+|\$[({]\w*(?:program|prog|target|bin|exe|app|out|name)\w*[)}])\s+(.+)$/i;
/** Words that nobody but a shell or make knows. */
const unknown = /[$`<>|&;*?]/;

/**
 * What a makefile or a script hands the program that is built of a source, read and not run: of the line
 * that names the source, else of the first one. Undefined where no line is plain.
 */
export function runArguments(text: string, source: string): readonly string[] | undefined {
  const name = source.slice(source.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, program = "", rest = ""] = begun.exec(line.replace(/(?<!\\)#.*$/, "")) ?? [];
    const words = shellWords(rest.replace(/\s*(?:\d?>{1,2}|\||&&|;).*$/, "").trim());
    return words.length === 0 || words.some((word) => unknown.test(word)) ? [] : [{ program, words }];
  });
  const own = lines.find(({ program }) => program.replace(/^\.\//, "").replace(/\.\w+$/, "") === name);
  return (own ?? lines[0])?.words;
}

/** Smaller numbers are as likely modes or seeds as sizes. */
const leastSize = 64;

/** The words with large whole numbers divided; undefined where there are none. */
export function smallerArguments(words: readonly string[], divisor: number): readonly string[] | undefined {
  const smaller = words.map((word) =>
    /^\d+$/.test(word) && Number(word) >= leastSize
      ? String(Math.max(leastSize / 2, Math.floor(Number(word) / divisor)))
      : word,
  );
  return smaller.some((word, index) => word !== words[index]) ? smaller : undefined;
}
