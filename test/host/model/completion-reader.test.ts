import { describe, expect, it } from "vitest";
import { CompletionReader } from "../../../server/host/model/protocols/completion-reader";
import { CutStream } from "../../../server/host/model/failure";

interface Case {
  readonly name: string;
  readonly chunks: readonly unknown[];
  readonly delivered?: object;
  readonly fault?: string;
}

const piece = (delta: object, rest: object = {}): object => ({ choices: [{ delta, ...rest }] });
const stop = { finish_reason: "stop" };

const cases: readonly Case[] = [
  {
    name: "pieces of a text",
    chunks: [{ model: "m", ...piece({ content: "a" }) }, piece({ content: "b" }, stop)],
    delivered: { text: "ab", finish: "stop", model: "m", usage: undefined },
  },
  {
    name: "a call whose arguments come in pieces",
    chunks: [
      piece({ tool_calls: [{ index: 0, id: "c", function: { name: "edit", arguments: "{" } }] }),
      piece(
        { tool_calls: [{ index: 0, id: null, function: { arguments: "}" } }] },
        { finish_reason: "tool_calls" },
      ),
    ],
    delivered: { toolCalls: [{ callId: "c", name: "edit", rawArguments: "{}" }], finish: "tool-calls" },
  },
  {
    name: "usage without its counts",
    chunks: [{ usage: { prompt_tokens: null }, choices: [] }, piece({ content: "a" }, stop)],
    delivered: {
      usage: { inputUncached: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null },
    },
  },
  {
    name: "a text that is a number",
    chunks: [piece({ content: 7 })],
    fault: "the answer is no chat completion: choices[0].delta.content: expected text, found 7",
  },
  {
    name: "calls that are no list",
    chunks: [piece({ tool_calls: "edit" })],
    fault: 'the answer is no chat completion: choices[0].delta.tool_calls: expected a list, found "edit"',
  },
  {
    name: "no object",
    chunks: ["oops"],
    fault: 'the answer is no chat completion: expected an object, found "oops"',
  },
  { name: "nothing", chunks: [], fault: "the stream ended before anything was delivered" },
];

describe("an answer of a model", () => {
  it.each(cases)("$name", ({ chunks, delivered, fault }) => {
    const read = (): object => {
      const reader = new CompletionReader(undefined);
      for (const chunk of chunks) reader.take(chunk);
      return reader.end();
    };
    if (fault === undefined) expect(read()).toMatchObject(delivered ?? {});
    else expect(read).toThrow(new CutStream(fault));
  });
});
