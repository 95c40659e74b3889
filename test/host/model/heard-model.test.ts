import { expect, test } from "vitest";
import type { ModelProvider } from "../../../server/core/ports/model";
import { heardModel } from "../../../server/host/model/heard-model";
import { ScriptedModel } from "../../harness/scripted-model";

test("words are heard as they come, and why an attempt is repeated; the answer is the model's own", async () => {
  const inner = new ScriptedModel([{ text: "I pad it." }]);
  const streaming: ModelProvider = {
    name: inner.name,
    model: inner.model,
    limits: inner.limits,
    estimateUsd: () => inner.estimateUsd(),
    estimateTokens: () => inner.estimateTokens(),
    complete: (request, signal) => {
      request.onText?.("I ");
      request.onRetry?.(1, 4_200, "the stream was cut");
      for (const delta of ["I ", "pad ", "it."]) request.onText?.(delta);
      return inner.complete(request, signal);
    },
  };
  const heard: string[] = [];
  const model = heardModel(streaming, (delta) => heard.push(delta));
  const reply = await model.complete(
    { messages: [], tools: [], maxOutputTokens: 1 },
    new AbortController().signal,
  );
  expect(heard.join("")).toBe("I \n(attempt 1 failed: the stream was cut; asked again in 4 s)\nI pad it.");
  expect([model.model, reply]).toMatchObject(["scripted-1", { kind: "reply", text: "I pad it." }]);
});
