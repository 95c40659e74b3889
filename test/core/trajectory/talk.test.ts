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
