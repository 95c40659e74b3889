import type { JsonObject } from "../../server/core/base/json";
import type { Proposal, Strategy, SharedContext } from "../../server/core/agent/strategy";
import { kernelFile } from "./scripted-evaluator";

/** Proposes the given texts of the kernel's file one after the other on the best candidate so far. */
export function scriptedStrategy(
  texts: readonly string[],
  onAsk: (context: SharedContext) => void | Promise<void> = () => undefined,
): Strategy {
  let asked = 0;
  return {
    name: "scripted",
    state: (): JsonObject => ({ asked }),
    restore: async (resumed) => {
      await Promise.resolve();
      asked = Number(resumed.state["asked"] ?? 0);
    },
    async propose(context): Promise<Proposal> {
      await onAsk(context);
      const text = texts[asked];
      asked += 1;
      if (text === undefined) return { kind: "done", reason: "the script has ended" };
      return {
        kind: "candidate",
        tree: { ...context.best.candidate.tree, [kernelFile]: text },
        parent: context.best.candidate.id,
        hypothesis: `try ${asked}`,
        origin: "scripted",
      };
    },
  };
}
