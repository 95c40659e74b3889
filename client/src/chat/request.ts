/** What a message to the participant asks for. */
export type Wish = "explain" | "tell" | "optimize" | "check" | "profile" | "status" | "stop";

const wishes: readonly Wish[] = ["explain", "tell", "optimize", "check", "profile", "status", "stop"];

const questionWords =
  /^(why|what|what's|which|where|when|who|how|is|are|does|do|did|was|were|can|could|should|would|explain|show|list)\b/i;

/**
 * What is wanted: the slash command, else a question about what was counted or, of all other words, something
 * for the model of the run: a constraint or a hint. Nothing at all asks how things stand.
 */
export function wishOf(command: string | undefined, prompt: string): Wish {
  const named = wishes.find((wish) => wish === command);
  if (named !== undefined) return named;
  const words = prompt.trim();
  if (words === "") return "status";
  return words.endsWith("?") || questionWords.test(words) ? "explain" : "tell";
}

/**
 * Whether a reference is only what the editor shows, which VS Code attaches by itself: the cursor tells more
 * than the first line in view. What is selected counts as chosen by the user.
 */
export function isInView(id: string): boolean {
  return id.startsWith("vscode.implicit") && id !== "vscode.implicit.selection";
}

/** The one-based line that a question names, `line 12` or `12th line`; undefined where it names none. */
export function lineIn(prompt: string): number | undefined {
  const found = /\blines?\s+(\d{1,6})\b|\b(\d{1,6})(?:st|nd|rd|th)\s+line\b/i.exec(prompt);
  const digits = found?.[1] ?? found?.[2];
  return digits === undefined ? undefined : Number(digits);
}

/** The kernel that a message names as a word; undefined where it names none or several. */
export function namedIn<Kernel extends { readonly name: string }>(
  prompt: string,
  kernels: readonly Kernel[],
): Kernel | undefined {
  const words = new Set(prompt.match(/\w+/g) ?? []);
  const named = kernels.filter(({ name }) => words.has(name.split("::").at(-1) ?? name));
  return named.length === 1 ? named[0] : undefined;
}
