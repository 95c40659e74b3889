import { constantForm, type Form, minus, shifted } from "./form";

/** What a predicate says of forms. `unknown`: it may be true or false. */
export type Condition =
  | { readonly kind: "not-negative"; readonly form: Form }
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "unknown" };

export const unknownCondition: Condition = { kind: "unknown" };
export const always: Condition = { kind: "all", of: [] };

/** `a >= b`. */
export function atLeast(a: Form, b: Form): Condition {
  return { kind: "not-negative", form: minus(a, b) };
}

/** `a < b`. */
export function below(a: Form, b: Form): Condition {
  return { kind: "not-negative", form: shifted(minus(b, a), -1) };
}

export function equal(a: Form, b: Form): Condition {
  return all([atLeast(a, b), atLeast(b, a)]);
}

export function unequal(a: Form, b: Form): Condition {
  return any([below(a, b), below(b, a)]);
}

/** All of some conditions. Unknown ones stay among the others: what holds is known of the rest. */
export function all(of: readonly Condition[]): Condition {
  return { kind: "all", of };
}

/** At least one of some conditions; with an unknown one among them nothing is known. */
export function any(of: readonly Condition[]): Condition {
  return of.some(({ kind }) => kind === "unknown") ? unknownCondition : { kind: "any", of };
}

export function negated(condition: Condition): Condition {
  switch (condition.kind) {
    case "unknown":
      return condition;
    case "not-negative":
      return { kind: "not-negative", form: minus(constantForm(-1), condition.form) };
    case "all":
      return any(condition.of.map(negated));
    case "any":
      return all(condition.of.map(negated));
  }
}

/** True or false where a condition is one without further facts. */
export function truthOf(condition: Condition): boolean | undefined {
  if (condition.kind === "unknown") return undefined;
  if (condition.kind === "not-negative")
    return condition.form.terms.size === 0 ? condition.form.constant >= 0 : undefined;
  const truths = condition.of.map(truthOf);
  const isAll = condition.kind === "all";
  if (truths.includes(!isAll)) return !isAll;
  return truths.every((truth) => truth === isAll) ? isAll : undefined;
}

/** The condition with other forms in place of its own. */
export function rewritten(condition: Condition, replace: (form: Form) => Form): Condition {
  if (condition.kind === "unknown") return condition;
  if (condition.kind === "not-negative") return { kind: "not-negative", form: replace(condition.form) };
  return { kind: condition.kind, of: condition.of.map((each) => rewritten(each, replace)) };
}
