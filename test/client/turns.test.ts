import { expect, test } from "vitest";
import { turnsOf } from "../../client/src/models/turns";

test("a conversation in the editor's form: no words of a system, answers to calls in one message", () => {
  const calls = [
    { callId: "a", name: "edit", rawArguments: '{"path":"k.cu"}' },
    { callId: "b", name: "finish", rawArguments: "not json" },
  ];
  expect(
    turnsOf([
      { role: "system", text: "s" },
      { role: "user", text: "u" },
      { role: "assistant", text: "first", toolCalls: calls },
      { role: "tool", callId: "a", text: "done" },
      { role: "tool", callId: "b", text: "bad" },
      { role: "assistant", text: "second", toolCalls: [] },
    ]),
  ).toEqual([
    { from: "user", text: "s" },
    { from: "user", text: "u" },
    {
      ...{ from: "model", text: "first" },
      calls: [
        { callId: "a", name: "edit", input: { path: "k.cu" } },
        { callId: "b", name: "finish", input: {} },
      ],
    },
    {
      from: "user",
      results: [
        { callId: "a", text: "done" },
        { callId: "b", text: "bad" },
      ],
    },
    { from: "model", text: "second", calls: [] },
  ]);
});
