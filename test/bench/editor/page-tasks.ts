import type { Page } from "playwright-core";

/** An entry of a trace of Chromium; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name?: string };
  /** Processor time of what took time. */
  readonly tdur?: number;
}

/**
 * Watches a page work. Gives, once it is told to end, the processor time of the longest task of its main
 * thread in milliseconds: how long the page could not answer its user, whatever else the machine does.
 */
export async function watchTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"] },
  });
  return async () => {
    const complete = new Promise<unknown>((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
    return longestTask(events);
  };
}

function longestTask(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf),
  );
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && mains.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("the trace holds no task of the page");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
