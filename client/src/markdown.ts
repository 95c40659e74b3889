/**
 * Text of others inside Markdown: every character that Markdown could read as markup is escaped, line ends
 * become spaces.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, " ").replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, "\\$&");
}

/** A fenced block which the content cannot leave: its fence is longer than any run of backticks inside. */
export function fencedBlock(language: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join("\n");
}
