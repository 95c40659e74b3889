import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rebuildConversation } from "../../../server/core/agent/dialogue/conversation/conversation";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { kernelFile } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";
import { draws } from "../../harness/draws";

const here = dirname(fileURLToPath(import.meta.url));
const prompts = promptTexts(await readPromptFiles(join(here, "../../../server/core/prompts")));
const files = memoryFiles({
  "long.md": Array.from({ length: 400 }, (_, line) => `${line} words words words words`).join("\n"),
});

const call = fc.oneof(
  fc.record({
    name: fc.constant("read_file"),
    arguments: fc.record({ path: fc.constant("long.md"), first_line: fc.integer({ min: 1, max: 300 }) }),
  }),
  fc.record({
    name: fc.constant("edit"),
    arguments: fc.record({
      path: fc.constant(kernelFile),
      old_text: fc.constantFrom("bound 1000", "bound 900", "x"),
      new_text: fc.constantFrom("bound 900", "bound 800", "bound 1000\n// wrong"),
    }),
  }),
  fc.record({
    name: fc.constant("write_file"),
    arguments: fc.oneof(
      fc.record({
        path: fc.constant(kernelFile),
        text: fc
          .integer({ min: 500, max: 999 })
          .map((bound) => `// bound ${bound}\n${"// words\n".repeat(200)}`),
      }),
      fc.constant(`{"path": "${kernelFile}", "text": ${"x".repeat(800)}`),
    ),
  }),
  fc.record({ name: fc.constant("submit_candidate"), arguments: fc.record({ hypothesis: fc.string() }) }),
  fc.record({
    name: fc.constantFrom("recall", "search", "nonsense"),
    arguments: fc.oneof(fc.string(), fc.constant({ call: "call_1_1" }), fc.constant({ text: "words" })),
  }),
);
const reply = fc.oneof(
  fc.record({ text: fc.string(), calls: fc.array(call, { minLength: 1, maxLength: 4 }) }),
  fc.record({ text: fc.string(), finish: fc.constantFrom("stop", "length") }),
);

test("the conversation that the log gives back is the one that the model had", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(10_000, 20_000, 120_000),
      async (replies, contextCharacters) => {
        const model = new ScriptedModel(replies as never);
        const strategy = refineStrategy({
          provider: model,
          prompts,
          files,
          clock: new TestClock(),
          rulebook: noRules,
          limits: { contextCharacters },
        });
        const { log } = await runScripted(strategy, { baseline: "// bound 1000\n" });
        const last = log.events.findLastIndex((event) => event.type === "llm.request");
        const rebuilt = await rebuildConversation(log.events.slice(0, last), (stored) =>
          log.loadText(stored),
        );
        expect(rebuilt.messages).toEqual(model.requests.at(-1)?.messages);
        const request = log.events[last];
        if (request?.type === "llm.request") expect(rebuilt.ids).toEqual(request.data.messages);
      },
    ),
    { numRuns: draws(60) },
  );
});
