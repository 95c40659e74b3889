/**
 * Texts of a log are data: nothing in them may become markup, close a fence, or reach a terminal as a control
 * sequence.
 */

/**
 * Control characters, and marks that turn the direction of reading (they can make code look like other code),
 * made visible.
 */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** One line of running text: no markup, no HTML, no line break. */
export function inline(text: string): string {
  return visible(text.replace(/\r?\n|\r/g, " "))
    .replace(/[\\`*_{}[\]<>#|~&!$]/g, (character) => `\\${character}`)
    .replace(/^(\s*\d*)([-+.)])(?=\s|$)/, "$1\\$2")
    .trim();
}

/** A name or number in code type; backticks in it make the marks longer. */
export function code(text: string): string {
  const flat = visible(text.replace(/\r?\n|\r/g, " ")).replaceAll("|", "\\|");
  if (flat === "") return "";
  const mark = "`".repeat(longestRun(flat) + 1);
  return flat.includes("`") ? `${mark} ${flat} ${mark}` : `${mark}${flat}${mark}`;
}

/** A block of code whose fence is longer than any run of backticks in it. */
export function fence(text: string, language = ""): string {
  const mark = "`".repeat(Math.max(3, longestRun(text) + 1));
  const body = visible(text.replace(/\r\n?/g, "\n")).replace(/\n$/, "");
  return `${mark}${language}\n${body}\n${mark}`;
}

/** A table; cells are already inline text. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell || " ").join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  return longest;
}
