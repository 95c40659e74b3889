import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { createRuleParse } from "../../../../server/host/services/syntax";
import { loadGrammars } from "../../../../server/host/toolchain/grammars";

/** A parse function over the real grammars, as the server builds one. */
export async function ruleParse(): Promise<RuleParse> {
  return createRuleParse(await loadGrammars());
}
