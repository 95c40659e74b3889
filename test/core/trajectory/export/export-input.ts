import { OperationalError } from "../../../../server/core/base/operational-error";
import { blobHex } from "../../../../server/core/trajectory/blobs";
import { makeCleaner } from "../../../../server/core/trajectory/export/anonymize";
import type { ExportInput } from "../../../../server/core/trajectory/export/exporter";
import { Redactor } from "../../../../server/core/trajectory/redact";
import { sha256, task } from "../event-fixtures";
import { eventsOf, type Stream } from "../event-streams";

/** An exporter's input for a session that lies nowhere. */
export function exportInput(stream: Stream): ExportInput {
  return {
    sessionId: "01KWTESTSESSION00000000000",
    events: eventsOf(stream),
    head: "f".repeat(64),
    annotations: [],
    productVersion: "1.2.3",
    loadText: (stored) => {
      const text = typeof stored === "string" ? stored : stream.blobs.get(blobHex(stored));
      return text === undefined
        ? Promise.reject(new OperationalError("session-damaged", { forUser: "missing" }))
        : Promise.resolve(text);
    },
    loadTree: (tree) => Promise.resolve({ [task.file]: `// kernel\n\`\`\`\ncontent of ${tree}\n` }),
    clean: makeCleaner(new Redactor(), {
      workspaceFolder: "/home/alice/project",
      homeFolder: "/home/alice",
      userName: "alice",
    }),
    sha256,
  };
}
