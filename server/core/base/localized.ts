import { oneOrSeveral, whateverTheNumber, withSingulars } from "./singulars";

/** Texts of one language by their English ones; `{0}`, `{1}` … stand for what differs from time to time. */
type Texts = Readonly<Record<string, string>>;

type Part = string | number;

const place = /\{(\w+)\}/g;

/** Letters that a text has beside its places: with fewer it would be found in sentences that it is not of. */
const fewestLetters = 5;

/**
 * Letters of the longest sentence that is compared with texts that have places: a hostile one, of many
 * separators, would take long. Longer ones are told piece by piece.
 */
const longestSentence = 600;

/** What stands between texts that were put together, what parts them most first. */
const separators = ["\n", "; ", ". ", ": ", ", "];

/** Sentences whose translation is remembered. */
const mostRemembered = 2_000;

interface Template {
  readonly english: string;
  readonly pattern: RegExp;
  readonly letters: number;
  /** The longest of its fixed parts: a sentence without it is not of this text. */
  readonly mark: string;
}

/** The texts of a language, to be asked for by the English text or by a sentence that was made of one. */
export class Language {
  private readonly texts: ReadonlyMap<string, string>;
  private readonly templates: readonly Template[];
  private readonly remembered = new Map<string, string>();

  constructor(texts: Texts) {
    this.texts = new Map(Object.entries(texts));
    this.templates = [...this.texts.keys()].flatMap(templateOf).sort((a, b) => b.letters - a.letters);
  }

  text(english: string): string {
    return this.texts.get(english) ?? english;
  }

  /**
   * A sentence that was composed in English before, of these texts. What is not made of them (the words of a
   * compiler, of a model, of the user) stays as it is.
   */
  retold(sentence: string): string {
    const known = this.texts.get(sentence) ?? this.remembered.get(sentence);
    if (known !== undefined) return known;
    const isSentence = sentence.length <= longestSentence;
    const told = (isSentence ? this.whole(sentence) : undefined) ?? this.byPieces(sentence, separators);
    if (this.remembered.size >= mostRemembered) this.remembered.clear();
    this.remembered.set(sentence, told);
    return told;
  }

  /** As one text, with the full stop that it was told without or as it is. */
  private whole(sentence: string): string | undefined {
    const stopped = `${sentence}.`;
    const told =
      this.texts.get(stopped) ??
      this.behindPlace(sentence) ??
      this.fromTemplate(sentence) ??
      this.explained(sentence);
    const text = told ?? this.fromTemplate(stopped);
    return text === undefined || sentence.endsWith(".") ? text : text.replace(/[.\u3002]$/, "");
  }

  /** A sentence about a line of a file (`k.cu:3: …`), which stands in front of it. */
  private behindPlace(sentence: string): string | undefined {
    const [, line, rest] = /^(\S+:\d+: )(.+)$/s.exec(sentence) ?? [];
    if (line === undefined || rest === undefined) return undefined;
    const told = this.texts.get(rest) ?? this.fromTemplate(rest);
    return told === undefined ? undefined : `${line}${told}`;
  }

  /** A sentence with another in parentheses behind it. */
  private explained(sentence: string): string | undefined {
    const [, before, inside] = /^(.+) \((.+)\)$/s.exec(sentence) ?? [];
    if (before === undefined || inside === undefined) return undefined;
    return `${this.retold(before)} (${this.retold(inside)})`;
  }

  private fromTemplate(sentence: string): string | undefined {
    for (const { english, pattern, mark } of this.templates) {
      const found = sentence.includes(mark) ? pattern.exec(sentence) : null;
      if (found === null) continue;
      const parts = found.slice(1).map((part) => this.retold(part));
      return withParts(this.text(english), namesIn(english), parts);
    }
    return undefined;
  }

  private byPieces(sentence: string, [separator, ...others]: readonly string[]): string {
    if (separator === undefined) return this.beforeNumber(sentence);
    const pieces = sentence.split(separator);
    if (pieces.length === 1) return this.byPieces(sentence, others);
    return pieces.map((piece) => this.retold(piece)).join(separator);
  }

  /** `global sectors 96 → 288`: a name, and its numbers. */
  private beforeNumber(sentence: string): string {
    const [, name, numbers] = /^(\D+) (\d.*)$/s.exec(sentence) ?? [];
    return name === undefined ? sentence : `${this.text(name)} ${numbers}`;
  }
}

function templateOf(english: string): readonly Template[] {
  const literals = english.split(/\{\w+\}/);
  const letters = literals.join("").replace(/[^A-Za-z]/g, "").length;
  if (literals.length === 1 || letters < fewestLetters) return [];
  const escaped = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = escaped
    .map((literal, index) => (index === 0 ? literal : oneOrSeveral(literal)))
    .join("(.*?)");
  const mark = literals
    .map(whateverTheNumber)
    .reduce((longest, each) => (each.length > longest.length ? each : longest));
  return [{ english, letters, mark, pattern: new RegExp(`^${source}$`, "s") }];
}

function namesIn(english: string): readonly string[] {
  return [...english.matchAll(place)].map(([, name = ""]) => name);
}

function withParts(text: string, names: readonly string[], parts: readonly Part[]): string {
  return text.replace(place, (written, name: string) => String(parts[names.indexOf(name)] ?? written));
}

/** The language of what is composed now; undefined for English, which logs, events and exports are in. */
let spoken: Language | undefined;

/** Composes something in a language. At once: what `compose` leaves for later is English. */
export function inLanguage<Result>(language: Language | undefined, compose: () => Result): Result {
  const before = spoken;
  spoken = language;
  try {
    return compose();
  } finally {
    spoken = before;
  }
}

/** Marks a text that people read, and gives it in the language of what is composed: `` t`line ${line}` ``. */
export function t(literals: TemplateStringsArray, ...parts: readonly Part[]): string {
  if (spoken === undefined) return withSingulars(String.raw({ raw: literals }, ...parts));
  const english = literals.reduce((text, literal, index) => `${text}{${index - 1}}${literal}`);
  return tell(english, ...parts);
}

/** The same of a text that stands elsewhere, with `{0}`, `{1}` … in it. */
export function tell(english: string, ...parts: readonly Part[]): string {
  const text = spoken?.text(english) ?? english;
  const filled = text.replace(/\{(\d+)\}/g, (written, index: string) =>
    String(parts[Number(index)] ?? written),
  );
  return spoken === undefined ? withSingulars(filled) : filled;
}

/**
 * What was composed in English (an event's reason, an error, a sentence of a table) in the language of what
 * is composed.
 */
export function retold(sentence: string): string {
  return spoken?.retold(sentence) ?? sentence;
}
