import { expect, test } from "vitest";
import { protectionLines } from "../../../server/core/words/names/protections";

test.each([
  { what: "logs of earlier versions say nothing", protections: undefined, lines: [] },
  {
    what: "nothing was active",
    protections: [],
    lines: ["protected by nothing: no walls, and inputs that could be known"],
  },
  {
    what: "each by its words, and one of a later version by its name",
    protections: ["secret-inputs", "no-host-code", "moat"],
    lines: ["protected: inputs from secret seeds; no code of it runs outside of the virtual GPU; moat"],
  },
])("what was active while a version ran: $what", ({ protections, lines }) => {
  expect(protectionLines(protections)).toEqual(lines);
});
