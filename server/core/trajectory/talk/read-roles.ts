import { OperationalError } from "../../base/operational-error";
import { type Role, roles } from "./role";

/** Reads `judge=MODEL` texts. Throws `usage` for one that has another form, and for a role named twice. */
export function readRoles(texts: readonly string[]): ReadonlyMap<Role, string> {
  const models = new Map<Role, string>();
  for (const text of texts) {
    const [name = "", ...rest] = text.split("=");
    const model = rest.join("=").trim();
    const role = roles.find((known) => known === name.trim());
    if (role === undefined || model === "")
      throw new OperationalError("usage", {
        forUser: `the role ${JSON.stringify(text)} cannot be read: write ROLE=MODEL, where ROLE is ${roles.join(", ")} and MODEL a model of the same endpoint`,
      });
    if (models.has(role))
      throw new OperationalError("usage", {
        forUser: `the role ${role} is named twice: leave one of them out`,
      });
    models.set(role, model);
  }
  return models;
}
