import { known } from "../../base/known";

/** What models may be asked for beside writing candidates. */
export const roles = ["judge", "planner", "tester"] as const;

export type Role = (typeof roles)[number];

/** A role as one picks it: what its model does, in a clause. */
export interface RoleChoice {
  readonly id: Role;
  /** As a sentence begins with it. */
  readonly title: string;
  readonly does: string;
}

/** Every role; settings and command line derive from this. */
export const roleChoices: readonly RoleChoice[] = [
  {
    id: "judge",
    title: "Judge",
    does: "reads the counters of each correct version of a kernel and names one bottleneck, which the coder is told",
  },
  { id: "planner", title: "Planner", does: "picks the version that a round starts from" },
  {
    id: "tester",
    title: "Tester",
    does: "makes up cases against each version that would become the best, which drop it where it fails and the original does not",
  },
];

/** As a sentence begins with it. */
export function titleOfRole(role: Role): string {
  return known(
    roleChoices.find(({ id }) => id === role),
    "a role of the table",
  ).title;
}

/** Whether an event belongs to the conversation of a role, which no other conversation continues. */
export function isOfRole({ data }: { readonly data: object }): boolean {
  return "role" in data && data.role !== undefined;
}
