import type { RuleInput, RuleParse } from "../../../../server/core/agent/rulebook/rule";
import {
  type CounterName,
  counterNames,
  noCounters,
  sumCounters,
} from "../../../../server/core/timing/counters";
import { type HostTime, noHostCalls } from "../../../../server/core/timing/host/host-calls";
import type { KernelSpec } from "../../../../server/core/workload/spec";
import type { CompiledFacts } from "../../../../server/core/judge/verdict";

/** First line of a case: `//@case { … }`. */
interface CaseHead {
  readonly kernel: string;
  readonly spec?: Partial<KernelSpec>;
  readonly facts?: Partial<CompiledFacts>;
  readonly launches?: RuleInput["launches"];
  /** Nanoseconds of copies in the bound; none where the case says nothing. */
  readonly copies?: number;
  /** Nanoseconds of host calls; none where the case says nothing. */
  readonly host?: number;
  /** Of them copied to the host. */
  readonly bytesToHost?: number;
  /** Nanoseconds of gaps between launches in the bound; none where the case says nothing. */
  readonly gaps?: number;
  /** A row of gpu-limits.json; an A100 where the case names none. */
  readonly gpu?: string;
}

/**
 * Reads a case file: a source whose first line says which kernel is meant and whose other lines may end in
 * `//@ counter=value …` (`#@` in Python). The marks are taken off, so a rule sees an ordinary source and a
 * table of counters.
 */
export function readCase(path: string, text: string, parse: RuleParse): RuleInput {
  const [first = "", ...lines] = text.split("\n");
  const head = JSON.parse(first.replace(/^(\/\/|#)@case /, "")) as CaseHead;
  const dialect = path.endsWith(".py") ? "triton" : "cuda";
  const file = `kernels/case.${dialect === "cuda" ? "cu" : "py"}`;
  const marked = lines.map((line) => /^(.*?)\s*(?:\/\/|#)@ (.*)$/.exec(line));
  const source = lines.map((line, row) => marked[row]?.[1] ?? line).join("\n");
  const counted = marked.flatMap((match, row) =>
    match?.[2] === undefined ? [] : [{ file, line: row + 1, ...noCounters(), ...readCounters(match[2]) }],
  );
  const spec: KernelSpec = {
    file,
    kernel: head.kernel,
    dialect,
    run: { kind: "launch", launch: { arguments: [] } },
    inputs: {},
    outputs: {},
    shapes: [],
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    ...head.spec,
  };
  return {
    tree: { [file]: source, "kernels/other.txt": "untouched" },
    file,
    kernel: head.kernel,
    dialect,
    spec,
    parse,
    counters: { origin: "virtual-gpu", lines: counted, totals: sumCounters(counted) },
    facts: [
      {
        kernel: head.kernel,
        architecture: "sm_80",
        registers: 32,
        spillStoreBytes: 0,
        spillLoadBytes: 0,
        stackBytes: 0,
        sharedBytes: 0,
        ...head.facts,
      },
    ],
    bound: {
      gpu: head.gpu ?? "A100 40GB SXM",
      nanoseconds: 1000,
      terms: {
        ...{ dram: 1000, l2: 600, shared: 900, issue: 500, tensor: 0, latency: 400 },
        ...(head.copies === undefined ? {} : { copies: head.copies }),
        ...(head.gaps === undefined ? {} : { launch: head.gaps }),
      },
      binding: "dram",
      ...(head.host !== undefined && { host: hostOf(head.host, head.bytesToHost) }),
    },
    ...(head.launches === undefined ? {} : { launches: head.launches }),
    sizes: spec.shapes[0]?.sizes ?? {},
  };
}

function hostOf(nanoseconds: number, bytes = 0): HostTime {
  return { nanoseconds, calls: { ...noHostCalls, toHost: { calls: 1, bytes } } };
}

function readCounters(text: string): Partial<Record<CounterName, number>> {
  return Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => {
        const [name = "", value = ""] = pair.split("=");
        if (name === "loadedAgain")
          return ["loadReuse", { first: 0, sameBlock: [Number(value)], otherBlocks: [] }] as const;
        if (name === "loadFirst")
          return ["loadReuse", { first: Number(value), sameBlock: [], otherBlocks: [] }] as const;
        if (name === "storedFirst")
          return ["storeReuse", { first: Number(value), sameBlock: [], otherBlocks: [] }] as const;
        if (!counterNames.some((known) => known === name)) throw new Error(`no counter is called ${name}`);
        return [name, Number(value)];
      }),
  );
}
