import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnnotations } from "../../../server/core/trajectory/timeline/annotation";
import { sectionsOf } from "../../../server/core/trajectory/timeline/sections";
import { rowTextLimit } from "../../../server/core/trajectory/timeline/step";
import { timelineOf } from "../../../server/core/trajectory/timeline/timeline";
import { expectCaseText } from "../../harness/cases";
import { eventsOf, exampleStream, streams } from "./event-streams";

describe("the timeline of a session", () => {
  it("has a row for every event, with what it holds", () => {
    const events = eventsOf(exampleStream);
    const rows = timelineOf(events).map(({ seq, kind, title, text, candidate, usd, bound }) =>
      [seq, kind, title, text, candidate, usd, bound].map((part) => part ?? "").join(" | "),
    );
    const parts = events.map(
      (event) =>
        `${event.seq}: ${sectionsOf(event)
          .map(({ title }) => title)
          .join(", ")}`,
    );
    expectCaseText("trajectory/timeline.txt", `${[...rows, "", ...parts].join("\n")}\n`);
  });

  it("keeps the order, one line a row, and no cost goes down, whatever happened", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const events = eventsOf(stream);
        const rows = timelineOf(events);
        expect(rows.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
        expect(rows.every(({ text }) => text.length <= rowTextLimit && !/[\r\n]/.test(text))).toBe(true);
        expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((a, b) => a - b));
        const spent = rows.flatMap(({ usd }) => usd ?? []);
        expect(spent).toEqual(spent.toSorted((a, b) => a - b));
        const part = { after: Math.floor(rows.length / 3), limit: 4 };
        expect(timelineOf(events, part)).toEqual(rows.slice(part.after, part.after + part.limit));
        for (const event of events) expect(sectionsOf(event).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe("labels", () => {
  const label = (seq: number, tag: string, note: string): string =>
    JSON.stringify({ seq, at: "2026-01-02T03:04:05.000Z", tag, note });
  const table: readonly {
    readonly what: string;
    readonly lines: readonly string[];
    readonly read: readonly string[];
  }[] = [
    {
      what: "in the order of the events",
      lines: [label(7, "b", "x"), label(2, "a", "y")],
      read: ["2 a y", "7 b x"],
    },
    { what: "the newest of an event", lines: [label(7, "b", "x"), label(7, "c", "z")], read: ["7 c z"] },
    { what: "gone when both are empty", lines: [label(7, "b", "x"), label(7, "", "")], read: [] },
    {
      what: "nothing of a line that is cut or no label",
      lines: [label(7, "b", "x").slice(0, -4), "{}", "5"],
      read: [],
    },
    { what: "nothing of an event zero", lines: [label(0, "b", "x")], read: [] },
  ];
  it.each(table)("$what", ({ lines, read }) => {
    const found = readAnnotations(lines.map((line) => `\n${line}`).join(""));
    expect(found.map(({ seq, tag, note }) => `${seq} ${tag} ${note}`)).toEqual(read);
  });
});
