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
    if (head.length + clause.length <= headCharacters) {
      head += ` ${clause}`;
      continue;
    }
    // A short head says too little without the beginning of what follows.
    if (head.length < headCharacters / 2) head += ` ${clause.slice(0, headCharacters).replace(/ \S*$/, "")}`;
    break;
  }
  const [end = ""] = /(?<=\. )[A-Z][^.]*\.$/.exec(message) ?? [];
  return [`${head.replace(/;$/, "").slice(0, mostCharacters)} …`, end].filter(Boolean).join(" ");
}

/** What is seen in a window of usual width, beside what else stands in the status bar. */
const claimCharacters = 56;

/**
 * A claim in the status bar: whole parts of it, as many as there is room for. Of a first part that is too
 * long for itself, what stands in brackets or behind a comma is left out before it is cut.
 */
export function shortClaim(claim: string): string {
  const [first = "", ...others] = claim.split(" · ");
  let shown = fitted(first);
  if (shown !== first) return shown;
  for (const part of others) {
    if (shown.length + part.length > claimCharacters) break;
    shown = `${shown} · ${part}`;
  }
  return shown;
}

function fitted(part: string): string {
  const withoutBrackets = (text: string): string => text.replace(/ \([^()]*\)$/, "");
  const withoutMore = part.replace(/, [^,:]*$/, "");
  const shorter = [part, withoutBrackets(part), withoutMore, withoutBrackets(withoutMore)];
  const whole = shorter.find(({ length }) => length <= claimCharacters);
  return whole ?? `${part.slice(0, claimCharacters - 1)}…`;
}
