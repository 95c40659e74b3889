import type { BudgetView } from "../../../server/protocol/requests";

/** A limit where there is one: zero stands for none. */
export function limited<Name extends "tokens" | "gpuMinutes">(
  name: Name,
  amount: number,
): Partial<Record<Name, number>> {
  return amount === 0 ? {} : ({ [name]: amount } as Record<Name, number>);
}

/** What the user edits: `1, 10, 24, 200000, 5`, without zeros at the end. */
export function amountsText({ usd, minutes, candidates, tokens, gpuMinutes }: BudgetView): string {
  const rest = gpuMinutes === undefined ? [tokens ?? []].flat() : [tokens ?? 0, gpuMinutes];
  return [usd, minutes, candidates, ...rest].join(", ");
}

/** The amounts of such a text; undefined where it is none. */
export function amountsIn(text: string): BudgetView | undefined {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [usd = Number.NaN, minutes = Number.NaN, candidates = Number.NaN, tokens = 0, gpuMinutes = 0] =
    numbers;
  const areRight =
    numbers.length <= 5 &&
    [usd, minutes, candidates, tokens, gpuMinutes].every((each) => Number.isFinite(each) && each >= 0) &&
    [candidates, tokens].every(Number.isInteger);
  if (!areRight) return undefined;
  return { usd, minutes, candidates, ...limited("tokens", tokens), ...limited("gpuMinutes", gpuMinutes) };
}

/** So many times a budget. */
export function times(budget: BudgetView, factor: number): BudgetView {
  const { usd, minutes, candidates, tokens = 0, gpuMinutes = 0 } = budget;
  return {
    ...{ usd: usd * factor, minutes: minutes * factor, candidates: Math.ceil(candidates * factor) },
    ...limited("tokens", Math.ceil(tokens * factor)),
    ...limited("gpuMinutes", gpuMinutes * factor),
  };
}
