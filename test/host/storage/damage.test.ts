import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import { exporters } from "../../../server/core/trajectory/export/registry";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { reduceSession } from "../../../server/core/trajectory/reduce";
import { readExportInput } from "../../../server/host/storage/export-input";
import { systemIdentity } from "../../../server/host/system/identity";
import { exampleStream } from "../../core/trajectory/event-streams";
import { openStore, unlabelled, withStore } from "./session-fixtures";
import { draws } from "../../harness/draws";

const operational = (thrown: unknown): undefined => {
  if (thrown instanceof OperationalError) return undefined;
  throw thrown;
};

describe("a log with any bytes changed", () => {
  it("is read, listed, reduced and exported without anything but a clear refusal", () =>
    withStore(async (store, root) => {
      const log = await store.create();
      const written: SessionEvent[] = [];
      for (const event of exampleStream.events) written.push(await log.append(event));
      await log.close();
      const path = join(root, log.sessionId, "events-000001.jsonl");
      const whole = await readFile(path);
      await rm(join(root, log.sessionId, "seal.json"));
      const changes = fc.array(
        fc.record({
          at: fc.nat(whole.length - 1),
          byte: fc.oneof(fc.nat(255), fc.constantFrom(10, 34, 44, 48, 123, 125)),
        }),
        { minLength: 1, maxLength: 4 },
      );
      await fc.assert(
        fc.asyncProperty(changes, async (places) => {
          const changed = Buffer.from(whole);
          for (const { at, byte } of places) changed[at] = byte;
          await writeFile(path, changed);
          const fresh = openStore(root);
          expect((await fresh.list()).map((summary) => summary.sessionId)).toEqual([log.sessionId]);
          const input = await readExportInput({ store: fresh, annotations: unlabelled }, log.sessionId, {
            workspaceFolder: root,
            productVersion: "1",
            identity: systemIdentity,
          }).catch(operational);
          if (!input) return;
          reduceSession(input.events);
          // Without a word of damage, what is read is what was written; only a change of the last event
          // that is left cannot be seen without a seal.
          const sure = input.damaged === undefined ? input.events.slice(0, -1) : [];
          expect(sure).toEqual(written.slice(0, sure.length));
          for (const exporter of exporters) {
            const text = await exporter.write(input).catch(operational);
            if (text !== undefined) exporter.check(text);
          }
        }),
        { numRuns: draws(150) },
      );
    }));
});
