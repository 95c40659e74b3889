import { ruleTitle } from "../../../core/agent/rulebook/rule-table";
import { retold, t } from "../../../core/base/localized";
import { continuedOrigin } from "../../../core/trajectory/proposal/lineage";

/** Who made a candidate, by its origin, for people: a rule by what it does, with its name behind. */
export function makerOf(origin: string): string {
  if (origin === continuedOrigin) return t`taken over from an earlier session`;
  const [, kind, name = ""] = /^(rulebook|refine):(.*)$/s.exec(origin) ?? [];
  if (kind === "refine") return t`proposed by the model ${name}`;
  const title = kind === "rulebook" ? ruleTitle(name) : undefined;
  return title === undefined ? origin : t`by the rule “${retold(title)}” (${name})`;
}
