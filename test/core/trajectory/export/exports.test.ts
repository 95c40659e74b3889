import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../../server/core/trajectory/events";
import type { AtifTrajectory } from "../../../../server/core/trajectory/export/atif-types";
import { exporters, exportSession } from "../../../../server/core/trajectory/export/registry";
import { expectCaseText } from "../../../harness/cases";
import { withData } from "../altered-events";
import { sha256 } from "../event-fixtures";
import { eventsOf, exampleStream, streams } from "../event-streams";
import { exportInput } from "./export-input";
import { draws } from "../../../harness/draws";

const input = exportInput(exampleStream);

describe("exports of the example session", () => {
  it.each(exporters)("$id is as it was reviewed", async ({ id: format, extension }) => {
    const made = await exportSession(input, format);
    expect(made.problems).toEqual([]);
    expectCaseText(`trajectory/example.${format}.${extension}`, made.text);
    expect(made.manifest).toEqual({
      format,
      product: { name: "kernelwright", version: "1.2.3" },
      session: input.sessionId,
      events: input.events.length,
      chain_head: input.head,
      damaged: null,
      file: made.fileName,
      sha256: sha256(made.text),
      problems: [],
    });
  });

  it("refuse a format that is not there, and a session that holds nothing", async () => {
    await expect(exportSession(input, "pdf")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(exporters.map(({ id }) => id).join(", ")) as string,
    });
    for (const { id: format } of exporters)
      await expect(exportSession({ ...input, events: [] }, format)).rejects.toMatchObject({
        code: "session-damaged",
      });
  });

  it("differ between v1.7 and v1.8 in the name alone", async () => {
    const [newer, older] = [await exportSession(input, "atif-1.8"), await exportSession(input, "atif-1.7")];
    expect(older.text).toBe(newer.text.replace("ATIF-v1.8", "ATIF-v1.7"));
  });

  it("hold neither paths nor the user's name", async () => {
    for (const { id: format } of exporters)
      expect((await exportSession(input, format)).text).not.toMatch(/alice/);
  });

  it("say that the log was damaged", async () => {
    for (const { id: format } of exporters) {
      const made = await exportSession(
        { ...input, damaged: "event 3 was changed after it was written" },
        format,
      );
      expect([made.problems, made.text.includes("event 3 was changed"), made.manifest.damaged]).toEqual([
        [],
        true,
        "event 3 was changed after it was written",
      ]);
    }
  });
});

describe("exports of any session", () => {
  it("pass the validator and are the same each time, after a crash at any event as well", async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.nat(60), async (stream, cut) => {
        for (const events of [stream.events, stream.events.slice(0, Math.max(2, cut))]) {
          for (const { id: format } of exporters) {
            const made = await exportSession(exportInput({ ...stream, events }), format);
            expect(made.problems).toEqual([]);
            expect((await exportSession(exportInput({ ...stream, events }), format)).text).toBe(made.text);
          }
        }
      }),
      { numRuns: draws(60) },
    );
  });

  it("pass the validator when events are missing, repeated, out of order or without their content", async () => {
    const events = eventsOf(exampleStream);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...events, ...events.slice(0, 10)], { minLength: 1 }),
        fc.nat(40),
        async (mixed, hollow) => {
          const some = [
            events[1] as SessionEvent,
            ...mixed.map((event, index) => (index === hollow ? withData(event, event.type, {}) : event)),
          ];
          for (const { id: format } of exporters)
            expect((await exportSession({ ...input, events: some }, format)).problems).toEqual([]);
        },
      ),
      { numRuns: draws(60) },
    );
  });

  it("put one step for each reply, and every result on the step that made the call", async () => {
    await fc.assert(
      fc.asyncProperty(streams, async (stream) => {
        const document = JSON.parse(
          (await exportSession(exportInput(stream), "atif-1.8")).text,
        ) as AtifTrajectory;
        const count = (type: string): number => stream.events.filter((event) => event.type === type).length;
        expect(document.steps.filter((step) => step.llm_call_count === 1).length).toBe(
          count("llm.response") + count("llm.failed"),
        );
        const linked = document.steps
          .flatMap((step) => step.observation?.results ?? [])
          .filter((result) => result.source_call_id !== undefined);
        expect(linked.length).toBe(count("tool.returned"));
      }),
      { numRuns: draws(40) },
    );
  });
});
