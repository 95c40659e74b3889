import { expect, test } from "vitest";
import { RunTalk, talkOf } from "../../../server/core/trajectory/talk/run-talk";
import { expectCase } from "../../harness/cases";
import { eventsOf, exampleStream } from "./event-streams";

const events = eventsOf(exampleStream);

test("a session as it talked, from its log", () =>
  expectCase("trajectory/talk.json", talkOf(events).split("\n")));

test("words that came one by one are not told again at the end of the answer", () => {
  const talk = new RunTalk();
  const told = events.flatMap((event) => {
    const streamed = event.type === "llm.response" ? [talk.words("I pad "), talk.words("the tile.")] : [];
    return [...streamed, talk.event(event)];
  });
  expect(told.join("")).toBe(talkOf(events));
});

test("of models that answer at the same time the words are told at the end of each answer", () => {
  const request = events.find((event) => event.type === "llm.request");
  const answer = events.find((event) => event.type === "llm.response");
  if (request?.type !== "llm.request" || answer?.type !== "llm.response") throw new Error("no request");
  const asked = (id: string) => ({ ...request, data: { ...request.data, request: id } });
  const answered = (id: string, text: string) => ({ ...answer, data: { ...answer.data, request: id, text } });
  const talk = new RunTalk();
  const told = [
    talk.event(asked("r1")),
    talk.words("I p"),
    talk.event(asked("r2")),
    talk.words("ad. I tile."),
    talk.event(answered("r1", "I pad.")),
    talk.event(answered("r2", "I tile.")),
    talk.event(asked("r3")),
    talk.words("I stop."),
    talk.event(answered("r3", "I stop.")),
  ];
  expect(told.map((text) => text.trim().replace(/^── [^,]*, turn/, "── turn"))).toEqual([
    "── turn 1 ──",
    "I p",
    "── turn 2 ──",
    "",
    "── turn 1 ──\nI pad.",
    "── turn 2 ──\nI tile.",
    "── turn 3 ──",
    "I stop.",
    "",
  ]);
});
