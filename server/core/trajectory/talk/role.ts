/** What models may be asked for beside writing candidates. */
export const roles = ["judge", "planner"] as const;

export type Role = (typeof roles)[number];

/** As a sentence begins with it. */
export const roleTitles: Readonly<Record<Role, string>> = { judge: "Judge", planner: "Planner" };

/** Whether an event belongs to the conversation of a role, which no other conversation continues. */
export function isOfRole({ data }: { readonly data: object }): boolean {
  return "role" in data && data.role !== undefined;
}
