import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Annotations } from "../../core/ports/run-store";
import type { Clock } from "../../core/ports/clock";
import { type Annotation, readAnnotations } from "../../core/trajectory/timeline/annotation";
import type { Redactor } from "../../core/trajectory/redact";
import { onDisk } from "./disk";
import { existingFolder, readTextIfThere } from "./session/session-folder";

const fileName = "annotations.jsonl";

interface AnnotationPlace {
  /** Folder of all sessions. */
  readonly root: string;
  readonly clock: Pick<Clock, "now">;
  readonly redactor: Redactor;
}

/** Labels in a file of each session's folder, one a line, only ever appended to. */
export class AnnotationFiles implements Annotations {
  constructor(private readonly place: AnnotationPlace) {}

  async of(sessionId: string): Promise<readonly Annotation[]> {
    return readAnnotations((await readTextIfThere(await this.pathOf(sessionId))) ?? "");
  }

  async put(sessionId: string, { seq, tag, note }: Omit<Annotation, "at">): Promise<void> {
    const { redactor, clock } = this.place;
    const label: Annotation = {
      seq,
      at: clock.now(),
      tag: redactor.redact(tag),
      note: redactor.redact(note),
    };
    const path = await this.pathOf(sessionId);
    // A line of its own, also behind one that a crash has cut.
    await onDisk("write", path, () => appendFile(path, `\n${JSON.stringify(label)}`, { mode: 0o600 }));
  }

  private async pathOf(sessionId: string): Promise<string> {
    return join(await existingFolder(this.place.root, sessionId), fileName);
  }
}
