import type { CompiledFacts } from "../../../../core/judge/verdict";
import { occupancy } from "../../../../core/timing/occupancy";
import type { LaunchFacts } from "../../handlers/language/compile-watch";
import { retold, shown, t } from "../../handshake/user-language";

function bytes(value: number): string {
  return value >= 1024 ? `${Number((value / 1024).toFixed(1))} KiB` : `${value} B`;
}

/** Facts of a kernel and of all instances of its template: `scale<float, 4>` belongs to `scale`. */
export function factsOfKernel(facts: readonly CompiledFacts[], kernel: string): readonly CompiledFacts[] {
  return facts.filter((candidate) => candidate.kernel.replace(/<.*$/s, "").split("::").at(-1) === kernel);
}

/**
 * `38 registers · 4 KiB shared · 75% occupancy (registers) · sm_80`. Occupancy is left out where the launch's
 * block is not known.
 */
export const factsTitle = shown(
  (facts: CompiledFacts, launch: LaunchFacts | undefined, stale: boolean): string => {
    const spilled = facts.spillLoadBytes + facts.spillStoreBytes;
    const occupied = occupancyOf(facts, launch);
    const instance = /<.*$/s.exec(facts.kernel)?.[0];
    return [
      ...(instance === undefined ? [] : [`${instance}:`]),
      ...(stale ? [t`before your edits:`] : []),
      [
        t`${facts.registers} registers`,
        ...(spilled > 0 ? [t`${bytes(spilled)} spilled`] : []),
        ...(sharedBytesOf(facts, launch) > 0 ? [t`${bytes(sharedBytesOf(facts, launch))} shared`] : []),
        ...(occupied === undefined
          ? []
          : [
              t`${Math.round(occupied.fraction * 100)}% occupancy${occupied.fraction < 1 ? ` (${retold(occupied.limiter.replace("-", " "))})` : ""}`,
            ]),
        facts.architecture,
      ].join(" · "),
    ].join(" ");
  },
);

function sharedBytesOf(facts: CompiledFacts, launch: LaunchFacts | undefined): number {
  return facts.sharedBytes + (launch?.dynamicSharedBytes ?? 0);
}

function occupancyOf(
  facts: CompiledFacts,
  launch: LaunchFacts | undefined,
): ReturnType<typeof occupancy> | undefined {
  const threadsPerBlock = facts.threadsPerBlock ?? launch?.threadsPerBlock;
  if (threadsPerBlock === undefined) return undefined;
  return occupancy({
    architecture: facts.architecture,
    threadsPerBlock,
    registersPerThread: facts.registers,
    sharedBytes: sharedBytesOf(facts, launch),
  });
}

/** What the compiler keeps in memory for lack of registers, and for arrays: rows where there is any. */
function spillRows(facts: CompiledFacts): readonly (readonly [string, string])[] {
  const { spillStoreBytes, spillLoadBytes, stackBytes } = facts;
  return [
    ...(spillStoreBytes + spillLoadBytes === 0
      ? []
      : ([[t`Spilled`, t`${spillStoreBytes} B stored, ${spillLoadBytes} B loaded`]] as const)),
    ...(stackBytes === 0 ? [] : ([[t`Stack`, `${stackBytes} B`]] as const)),
  ];
}

/** `4 KiB static + 1 KiB dynamic`. */
function sharedText(fixed: number, dynamic: number): string {
  const parts = [
    ...(fixed === 0 ? [] : [t`${bytes(fixed)} static`]),
    ...(dynamic === 0 ? [] : [t`${bytes(dynamic)} dynamic`]),
  ];
  return parts.length === 0 ? t`none` : parts.join(" + ");
}

/** Markdown for the hover over a kernel's name. */
export const factsMarkdown = shown(
  (facts: CompiledFacts, launch: LaunchFacts | undefined, stale: boolean): string => {
    const occupied = occupancyOf(facts, launch);
    const dynamic = launch?.dynamicSharedBytes ?? 0;
    const rows: readonly (readonly [string, string])[] = [
      [t`Registers a thread`, String(facts.registers)],
      ...spillRows(facts),
      [t`Shared memory a block`, sharedText(facts.sharedBytes, dynamic)],
      ...(occupied === undefined
        ? ([[t`Occupancy`, t`not known: the size of the block does not stand in the source`]] as const)
        : ([
            [
              t`Occupancy`,
              t`${Math.round(occupied.fraction * 100)}% (${occupied.blocksPerSm} blocks, ${occupied.warpsPerSm} warps a multiprocessor), limited by ${retold(occupied.limiter.replace("-", " "))}`,
            ],
          ] as const)),
    ];
    return [
      t`**${facts.kernel}** compiled for ${facts.architecture}${stale ? t` (before your edits)` : ""}`,
      "",
      "| | |",
      "| --- | --- |",
      ...rows.map(([name, value]) => `| ${name} | ${value} |`),
      ...(occupied !== undefined && occupied.advice !== "" ? ["", `${retold(occupied.advice)}.`] : []),
    ].join("\n");
  },
);
