/** What code is that needs an option of nvcc, by the option. */
const uses = {
  "--expt-relaxed-constexpr": "constexpr functions of the host in device code",
  "--extended-lambda": "lambdas of device code",
} as const;

type NamedOption = keyof typeof uses;

/** Where nvcc itself names an option that the code needs. */
const complaint = /(?:flag|requires) '?-{1,2}(?:expt-)?(relaxed-constexpr|extended-lambda)\b/g;

/** The options for want of which nvcc refuses a source, as it says itself; without those that were given. */
export function namedOptions(said: string, given: readonly string[]): readonly NamedOption[] {
  const named = new Set([...said.matchAll(complaint)].map(([, name]) => name));
  return (Object.keys(uses) as NamedOption[]).filter(
    (option) => named.has(option.replace(/^--(?:expt-)?/, "")) && !given.includes(option),
  );
}

/** How the user is told of an option that was added. */
export function optionNote(option: NamedOption): string {
  return `${uses[option]}: compiled with ${option}`;
}
