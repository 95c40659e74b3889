import * as z from "zod/mini";
import { readJson } from "../../../../core/base/shape";

/** What the process tells beside a reply. It may be anything: a candidate runs there. */
const loadedShape = z.object({ torch: z.string(), triton: z.string(), cuda: z.string() });
const calledShape = z.object({ waited: z.boolean(), notes: z.array(z.string()) });

/** Of all requests, those in which the GPU may have waited for Python are told from this share on. */
const toldShare = 0.1;

/** What belongs to the times of one process, gathered from what it tells. */
export class RunNotes {
  private readonly told = new Set<string>();
  private requests = 0;
  private waited = 0;

  /** In parts of sentences. */
  get all(): readonly string[] {
    const often = this.waited > toldShare * this.requests;
    const waited = `in ${this.waited} of ${this.requests} requests the GPU may have waited for Python, whose time counts then`;
    return [...this.told, ...(often ? [waited] : [])];
  }

  loaded(message: string): void {
    const told = readJson(loadedShape, message);
    if (told === undefined) return;
    this.told.add(`timed with Triton ${told.triton} and torch ${told.torch} for CUDA ${told.cuda}`);
  }

  called(message: string): void {
    const told = readJson(calledShape, message);
    this.requests += 1;
    if (told?.waited === true) this.waited += 1;
    for (const note of told?.notes ?? []) this.told.add(note);
  }
}
