/** Characters of a message that are read at a glance; a page of its own has the whole. */
const mostCharacters = 320;
const headCharacters = 200;

/**
 * A message about a failure without what is only of use beside the code: its beginning up to the end of a
 * clause, and its last sentence where that says what to do.
 */
export function shortMessage(message: string): string {
  if (message.length <= mostCharacters) return message;
  const clauses = message.split(/(?<=;) /);
  let head = clauses[0] ?? "";
  for (const clause of clauses.slice(1)) {
    if (head.length + clause.length > headCharacters) break;
    head += ` ${clause}`;
  }
  const [end = ""] = /(?<=\. )[A-Z][^.]*\.$/.exec(message) ?? [];
  return [`${head.replace(/;$/, "").slice(0, mostCharacters)} …`, end].filter(Boolean).join(" ");
}
