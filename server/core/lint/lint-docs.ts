import { lintEntries } from "./lint";

/** docs/lints.md: every lint with an example, written from the table by `npm run manifest`. */
export function lintPage(): string {
  const sections = lintEntries().map(({ id, dialect, title, severity, message, example }) =>
    [
      `## ${id}`,
      "",
      `${title} (${dialect === "cuda" ? "CUDA" : "Triton"}, ${severity}).`,
      "",
      `> ${message.replace(/\{(\w+)\}/g, "*$1*")}`,
      "",
      `\`\`\`${dialect === "cuda" ? "cpp" : "python"}`,
      example,
      "```",
    ].join("\n"),
  );
  return [
    "# Classic mistakes",
    "",
    "<!-- Written by `npm run manifest` from server/core/lint/lints.json: change the entries there. -->",
    "",
    "Found in the text while you edit, without running or compiling anything, in folders that are not trusted as well. Each finding has a quick fix where",
    "there is one, and one that allows it by a comment: `kernelwright-ignore: ID` on the line or on the one before it. The setting `kernelwright.lint`",
    "switches all of them off. What a run finds stands in [sanitizer.md](sanitizer.md).",
    "",
    sections.join("\n\n"),
    "",
  ].join("\n");
}
