import { known } from "../../base/known";
import type { Actor, EventData, EventType, SessionEvent } from "../../trajectory/events";
import type { Recorder } from "../recorder";

type Write = (recorder: Pick<Recorder, "append">, jobsBefore: number) => Promise<unknown>;

/** Events of work that goes on beside other work, until they may be written. Its jobs are numbered from 1. */
export class KeptEvents implements Pick<Recorder, "append"> {
  private readonly kept: Write[] = [];

  append<Type extends EventType>(
    type: Type,
    actor: Actor["kind"],
    data: EventData[Type],
  ): Promise<SessionEvent> {
    this.kept.push((recorder, jobsBefore) => recorder.append(type, actor, renumbered(data, jobsBefore)));
    // Nobody in the pipeline looks at what was written.
    return Promise.resolve({ type, data } as unknown as SessionEvent);
  }

  /** Writes them, with jobs numbered behind those that the log has. */
  async writeTo(recorder: Pick<Recorder, "append">, jobsBefore: number): Promise<void> {
    for (const write of this.kept.splice(0)) await write(recorder, jobsBefore);
  }
}

function renumbered<Data extends object>(data: Data, jobsBefore: number): Data {
  if (!("job" in data) || typeof data.job !== "string") return data;
  return { ...data, job: `j${jobsBefore + Number(data.job.slice(1))}` };
}

/** Lets so many pieces of work run at the same time; the others wait in their order. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  async take<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes over the place.
      if (this.waiting.length > 0) known(this.waiting.shift(), "who waits")();
      else this.running -= 1;
    }
  }
}
