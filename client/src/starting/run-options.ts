import type { BudgetView, OptimizeParams } from "../../../server/protocol/requests";

/** How a run is made, beside the model, which the user's settings name. */
export interface RunOptions {
  readonly strategy: string;
  readonly target: string;
  readonly budget: BudgetView;
}

/** A choice for this workspace, and what the settings said when it was made. */
interface Choice<Value> {
  readonly value: Value;
  readonly over: Value;
}

type Choices = { readonly [Key in keyof RunOptions]?: Choice<RunOptions[Key]> };

/** What was chosen for the runs of a workspace. */
export interface RememberedOptions extends Choices {
  /** By a file's address: the paths besides it that runs on its kernels may change. */
  readonly mayTouch?: Readonly<Record<string, readonly string[]>>;
}

/** The same with another choice, which holds until the settings say something else. */
export function choose<Key extends keyof RunOptions>(
  remembered: RememberedOptions,
  settings: RunOptions,
  [key, value]: readonly [Key, RunOptions[Key]],
): RememberedOptions {
  const { [key]: before, ...others } = remembered;
  return equal(value, settings[key]) ? others : { ...others, [key]: { value, over: settings[key] } };
}

/** The same with other files for the runs on a file; undefined: what the specs say. */
export function chooseFiles(
  remembered: RememberedOptions,
  uri: string,
  paths: readonly string[] | undefined,
): RememberedOptions {
  const { [uri]: before, ...others } = remembered.mayTouch ?? {};
  return { ...remembered, mayTouch: paths === undefined ? others : { ...others, [uri]: paths } };
}

/**
 * What differs from the settings. A choice whose setting was changed since is out of date: the newer word
 * counts.
 */
function chosenOptions(remembered: RememberedOptions, settings: RunOptions): Partial<RunOptions> {
  const keys: readonly (keyof RunOptions)[] = ["strategy", "target", "budget"];
  const entries = keys.flatMap((key) => {
    const choice = remembered[key];
    return choice !== undefined && equal(choice.over, settings[key]) ? [[key, choice.value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * What a request for a run on a kernel of this file says besides the kernel; empty where nothing was chosen.
 */
export function requestOptions(
  remembered: RememberedOptions,
  settings: RunOptions,
  uri: string,
): Omit<OptimizeParams, "uri" | "kernel"> {
  const mayTouch = remembered.mayTouch?.[uri];
  return { ...chosenOptions(remembered, settings), ...(mayTouch && { mayTouch }) };
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
