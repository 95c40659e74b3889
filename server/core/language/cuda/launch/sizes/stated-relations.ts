import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import { constantValue, type Constants } from "../../constants";
import { namedLimits } from "./named-limits";
import { relationOf } from "./read-relations";

/** Whose conditions are read: the names of sizes, and what constants stand for. */
interface Known {
  readonly names: readonly string[];
  readonly constants: Constants;
}

const comments = /(?:\/\/[^\n]*(?:\n[^\S\n]*(?=\/\/))?)+|\/\*[^]*?\*\//g;
/** Names that are words of a sentence, too. */
const plainWords = /^(?:a|A|I)$/;
const numerals: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, eight: 8, sixteen: 16 },
  ...{ warpSize: 32, "warp size": 32, "the warp size": 32, "warp width": 32 },
};
/** What a condition names: numbers, sizes, constants, and products and sums of them. */
const factor = String.raw`(?:(?:the\s+)?warp (?:size|width)|\w+(?:\s*<<\s*\d+)?)`;
const operand = String.raw`(${factor}(?:\s*[*+/]\s*${factor}|\s+-\s+${factor})*)(?![\w-]*-\w)`;
/** Words that make a condition of what follows, and others that only lead to it. */
const obliging = String.raw`must|has to|have to|needs? to|should|shall|always|require[sd]?|assum\w+|expect\w*|only|guaranteed|restricted|limited`;
const leading = String.raw`(?:[\s:,(]+(?:${obliging}|both|all|is|are|be|to|an?|exact|integer|whole|evenly|exactly)\b|[\s:(]+)*\s*`;
/** A sentence that speaks of one case, or denies. */
const conditional = /\b(?:if|when|where|whenever|unless|whether|otherwise|else|while|return)\b/i;
const denying = /(?:\bnot\b|n't\b|\bnever\b|\bwithout\b)[^,:;.]*$/i;
const forCase = /\bfor\s+(?:any\s+|all\s+)?$/i;
const generally = /\b(?:only|valid|works?|requires?|assum\w+|must|supports?|supported)\b/i;
const joint = /^\s*(?:,|;|and|&|&&|,\s*and)\s+/i;

interface Predicate {
  readonly pattern: RegExp;
  /** `%`, or a comparison; of an `odd` size and of a `power` nothing is on the other side. */
  readonly operator: string;
  readonly value?: string;
}

const predicates: readonly Predicate[] = [
  { pattern: /^even\b(?! (?:if|when|though|for)\b)/i, operator: "%", value: "2" },
  { pattern: /^odd\b/i, operator: "odd" },
  { pattern: /^(?:an? )?pow(?:er)?s?[\s-]*of[\s-]*(?:two|2)\b|^pow2\b|^2\^\w/i, operator: "power" },
  { pattern: new RegExp(String.raw`^multiples? of (?:the )?${operand}`, "i"), operator: "%" },
  { pattern: new RegExp(String.raw`^divisible by (?:the )?${operand}`, "i"), operator: "%" },
  { pattern: new RegExp(String.raw`^%\s*${operand}\s*==\s*0\b`, "i"), operator: "%" },
  {
    pattern: new RegExp(
      String.raw`^(?:<=|≤|at most|up to|no (?:more|larger|greater|bigger|longer|wider) than|not? exceed(?:ing)?|bounded by)\s*${operand}`,
      "i",
    ),
    operator: "<=",
  },
  {
    pattern: new RegExp(String.raw`^(?:<(?![=<])|less than|smaller than|below)\s*${operand}`, "i"),
    operator: "<",
  },
  {
    pattern: new RegExp(String.raw`^(?:>=|≥|at least|no (?:less|smaller) than)\s*${operand}`, "i"),
    operator: ">=",
  },
  {
    pattern: new RegExp(String.raw`^(?:>(?![=>])|greater than|larger than|more than)\s*${operand}`, "i"),
    operator: ">",
  },
  { pattern: new RegExp(String.raw`^(?:==|equals?(?: to)?|equal to)\s*${operand}`, "i"), operator: "==" },
];
/** Behind a word that obliges a number alone is a condition, too: `D must be 128`. */
const plainNumber: Predicate = {
  pattern: /^=?\s*(\d+)(?![\w.]|\s*(?:x|×|-|to|\.\.)\s*\d|\s*(?:bits?|bytes?|threads?|warps?)\b)/i,
  operator: "==",
};

/**
 * What comments of a text say that has to hold of sizes: `L must be even`, `int n, // multiple of 32`,
 * `K <= MAX_K`, `requires a power of two for n`; and what constants are called. A reading, and never a fact.
 */
export function statedRelations(text: string, known: Known): readonly SizeRelation[] {
  const said = sentencesOf(text, known.names).flatMap((sentence) => relationsIn(sentence, known));
  const found = [...said, ...namedLimits(known.names, known.constants)];
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** The sentences of all comments; what stands beside the declaration of a size begins with its name. */
function sentencesOf(text: string, names: readonly string[]): readonly string[] {
  return [...text.matchAll(comments)].flatMap(({ 0: comment, index }) => {
    // What ends as code does was commented out.
    const lines = comment
      .split("\n")
      .filter((line) => !/[;{}]\s*$/.test(line))
      .map((line) => line.replace(/^\s*(?:\/\/+|\/?\*+)!?<?\s?|\*\/\s*$/g, ""));
    const before = text.slice(text.lastIndexOf("\n", index - 1) + 1, index);
    const [, declared = ""] = /(\w+)\s*(?:=[^,;]*)?[,;)]?\s*\{?\s*$/.exec(before) ?? [];
    const beside = names.includes(declared) ? clausesOf(declared, lines[0] ?? "") : [];
    const listed = lines.flatMap((line) => {
      const [, name = "", said = ""] =
        /^\s*(?:[@\\]param(?:\[[\w,]+\])?\s+(?=\w))?(\w+)\s*(?:[-:–]|\s(?<=param\s+\w+\s))\s*(.*)$/.exec(
          line,
        ) ?? [];
      return names.includes(name) ? clausesOf(name, said) : [];
    });
    const sentences = lines.join(" ").split(/(?<=[^\d\s])[.;](?=\s|$)|(?<=\d)[.;](?=\s)/);
    return [...beside, ...listed, ...sentences];
  });
}

/** `number of rows, must be even (<= 64)`: each part as a sentence about that size. */
function clausesOf(name: string, said: string): readonly string[] {
  return said.split(/[,;()]/).map((clause) => `${name}: ${clause.trim()}`);
}

function relationsIn(sentence: string, known: Known): readonly SizeRelation[] {
  const found = [...known.names].flatMap((name) => ofName(sentence, name, known));
  return [...found, ...known.names.flatMap((name) => beforeName(sentence, name))];
}

/** What is said behind each mention of a name, alone or as the last of several: `H and W are even`. */
function ofName(sentence: string, name: string, known: Known): readonly SizeRelation[] {
  return [...sentence.matchAll(mentionOf(name, known.names))].flatMap((match) => {
    const before = sentence.slice(0, match.index);
    if (isOfCase(before) || /[\w\])]\s*[-+*/%]\s*$/.test(before)) return [];
    let rest = sentence.slice(match.index + match[0].length);
    const others = new RegExp(String.raw`^(?:\s*(?:,|and|&|/|,\s*and)\s*(\w+)\b)+`, "i").exec(rest);
    if (others !== null && known.names.includes(others[1] ?? "")) rest = rest.slice(others[0].length);
    const [lead = ""] = new RegExp(String.raw`^${leading}`, "i").exec(rest) ?? [];
    // "a even" is no English: what follows such a name at once is about something else.
    if (plainWords.test(name) && lead.trim() === "") return [];
    const isObliged = new RegExp(String.raw`\b(?:${obliging})\b`, "i").test(`${before} ${lead}`);
    return predicatesIn(rest.slice(lead.length), { name, isObliged, known });
  });
}

function isOfCase(before: string): boolean {
  const isOne = conditional.test(before.replace(/\bonly (?:if|when|where)\b/gi, " "));
  return isOne || denying.test(before) || (forCase.test(before) && !generally.test(before));
}

interface Said {
  readonly name: string;
  readonly isObliged: boolean;
  readonly known: Known;
}

/** `even and at most 64`. */
function predicatesIn(text: string, said: Said): readonly SizeRelation[] {
  const found: SizeRelation[] = [];
  for (let rest = text; ;) {
    const taken = [...predicates, ...(said.isObliged ? [plainNumber] : [])].flatMap((each) => {
      const match = each.pattern.exec(rest);
      return match === null ? [] : [{ ...each, match }];
    })[0];
    if (taken === undefined) return found;
    const relation = relationBy(taken.operator, taken.value ?? taken.match[1] ?? "", said);
    if (relation !== undefined) found.push(relation);
    rest = rest.slice(taken.match[0].length);
    const next = joint.exec(rest);
    if (next === null) return found;
    const [lead = ""] = new RegExp(String.raw`^${leading}`, "i").exec(rest.slice(next[0].length)) ?? [];
    rest = rest.slice(next[0].length + lead.length);
  }
}

/** Without a word that obliges a lower bound above this is more likely the one of a case. */
const mostLeast = 64;

function relationBy(
  operator: string,
  value: string,
  { name, isObliged, known }: Said,
): SizeRelation | undefined {
  if (operator === "odd" || operator === "power") return { kind: operator, name, value: 2 };
  const other = inNumbers(value, known);
  if (other === undefined) return undefined;
  const number = Number(other);
  if (operator === "%" && number < 2) return undefined;
  if (/^>/.test(operator) && !isObliged && number > mostLeast) return undefined;
  if (/^</.test(operator) && number < 2) return undefined;
  return relationOf(name, operator, other, new Set(known.names));
}

/** An expression with constants and numerals as numbers; undefined where a word of it is unknown. */
function inNumbers(text: string, { names, constants }: Known): string | undefined {
  let isKnown = true;
  const plain = text.replace(/\b(?:the )?warp (?:size|width)\b/gi, "32").replace(/\b\w+\b/g, (word) => {
    if (/^\d+$/.test(word)) return word;
    const value = numerals[word] ?? (names.includes(word) ? undefined : constantValue(word, constants));
    if (value === undefined && !names.includes(word)) isKnown = false;
    return value === undefined ? word : String(value);
  });
  const [, base, power] = /^(\d+)\s*<<\s*(\d+)$/.exec(plain) ?? [];
  if (!isKnown) return undefined;
  return base === undefined ? plain : String(Number(base) * 2 ** Number(power));
}

/** `requires even L`, `a power of two for n`, `multiples of 32 only for n`. */
function beforeName(sentence: string, name: string): readonly SizeRelation[] {
  const quality = String.raw`(even|odd|power[- ]of[- ](?:two|2))`;
  const pattern = new RegExp(
    String.raw`\b(?:${obliging}|needs?|works? for|valid for)\b[^,.;]{0,24}?\b${quality}(?:[- ]sized)?\s+(?:for\s+|values? of\s+)?${name}\b`,
    "i",
  );
  const match = pattern.exec(sentence);
  if (match === null || !sentence.slice(match.index).includes(name)) return [];
  const kind = match[1]?.toLowerCase() ?? "";
  if (kind === "even") return [{ kind: "multiple", name, value: 2 }];
  return [{ kind: kind === "odd" ? "odd" : "power", name, value: 2 }];
}

/** A name as it is written, or all in capitals: `N` is `n` where no other size is called so. */
function mentionOf(name: string, names: readonly string[]): RegExp {
  const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  const isFree = !names.includes(other) && !plainWords.test(other);
  return new RegExp(String.raw`(?<![\w.])(?:${isFree ? `${name}|${other}` : name})(?![\w(.\[])`, "g");
}
