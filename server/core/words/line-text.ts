import { retold, t } from "../base/localized";
import { counterCatalogue, countersWith, loneCounters } from "../timing/counter-catalogue";
import type { LineCounters, ReuseCounters } from "../timing/counters";
import type { MovedBytes, ProfiledLine } from "./profile";
import { describeBytes, describeShare, groupDigits, plural } from "./quantities";
import { type SectorReuse, firstClassBits, reuseClasses } from "../timing/reuse";

const sectorBytes = 32;

/** Reuse below this share of all accesses is not worth a word. */
const quietReuse = 0.005;

function of(value: number, ideal: number, what: string): string {
  return value === 0 && ideal === 0
    ? ""
    : `${plural(value, what)}${value > ideal ? t` (ideal ${groupDigits(ideal)})` : ""}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

const askedFor = (bytes: string): string => t`${bytes} asked for`;
const loaded = (bytes: string): string => t`${bytes} loaded`;
const stored = (bytes: string): string => t`${bytes} stored`;

function bytes(value: number, told: (bytes: string) => string): string {
  return value === 0 ? "" : told(describeBytes(value));
}

function atomics(instructions: number, passes: number, worst: number): string {
  return instructions === 0
    ? ""
    : t`${plural(instructions, "instruction")}, ${plural(passes, "pass", "es")} one after the other (at worst ${worst} in one)`;
}

function classText(line: LineCounters): string {
  return countersWith("instructionClass")
    .filter(([name]) => line[name] > 0)
    .sort(([a], [b]) => line[b] - line[a])
    .map(([name, label]) => `${retold(label)} ${describeShare(line[name] / Math.max(1, line.instructions))}`)
    .join(", ");
}

function operationsText(line: LineCounters): string {
  const parts = countersWith("operation").filter(([name]) => line[name] > 0);
  return parts.map(([name, label]) => `${groupDigits(line[name])} ${retold(label)}`).join(", ");
}

type Row = readonly [label: string, text: string];

/** All that was counted on a line, as a label and a text for each part of the machine that it uses. */
export function lineTexts(line: LineCounters, profiled?: ProfiledLine): readonly Row[] {
  return [
    ...executionRows(line, profiled),
    ...globalRows(line, profiled),
    ...reuseTexts(line),
    ...onChipRows(line),
    [
      t`global atomics`,
      atomics(line.globalAtomics, line.globalAtomicPasses, line.globalAtomicWorst),
    ] as const,
    [
      t`shared atomics`,
      atomics(line.sharedAtomics, line.sharedAtomicPasses, line.sharedAtomicWorst),
    ] as const,
    [t`branches`, branchText(line)] as const,
    ...loneRows(line),
  ].filter(([, text]) => text !== "");
}

/** What the line costs and what its warps execute. */
function executionRows(line: LineCounters, profiled: ProfiledLine | undefined): readonly Row[] {
  const cost =
    profiled === undefined || profiled.share < 0.0005
      ? ""
      : t`${describeShare(profiled.share)} of the sum over all lines`;
  const lanes =
    line.instructions === 0
      ? ""
      : t`${Number((line.threadInstructions / line.instructions).toFixed(1))} of 32 lanes active`;
  return [
    [t`modelled cost`, cost],
    [t`executed`, joined(plural(line.instructions, "warp instruction"), lanes)],
    [t`classes`, classText(line)],
    [t`operations`, operationsText(line)],
  ];
}

function globalRows(line: LineCounters, profiled: ProfiledLine | undefined): readonly Row[] {
  const loads = joined(
    of(line.globalLoadSectors, line.globalLoadSectorsIdeal, "sector"),
    bytes(line.globalLoadBytes, askedFor),
    levelText(profiled?.bytes),
  );
  const stores = joined(
    of(line.globalStoreSectors, line.globalStoreSectorsIdeal, "sector"),
    bytes(line.globalStoreBytes, askedFor),
  );
  return [
    [t`global loads`, loads],
    [t`global stores`, stores],
  ];
}

/** Shared memory, and local memory where there is any. */
function onChipRows(line: LineCounters): readonly Row[] {
  const shared = joined(
    of(line.sharedWavefronts, line.sharedWavefrontsIdeal, "wavefront"),
    line.sharedConflictWays > 1 ? t`${line.sharedConflictWays}-way conflict at worst` : "",
    bytes(line.sharedLoadBytes, loaded),
    bytes(line.sharedStoreBytes, stored),
  );
  const local = joined(
    plural(line.localRequests, "request"),
    plural(line.localSectors, "sector"),
    bytes(line.localLoadBytes, loaded),
    bytes(line.localStoreBytes, stored),
  );
  return [
    [t`shared memory`, shared],
    [t`local memory`, line.localRequests === 0 ? "" : local],
  ];
}

function branchText(line: LineCounters): string {
  if (line.branches === 0) return "";
  return joined(
    groupDigits(line.branches),
    t`${groupDigits(line.divergentBranches - line.predicatedBranches)} divergent`,
    line.predicatedBranches === 0 ? "" : t`${groupDigits(line.predicatedBranches)} predicated`,
  );
}

/** Counters that share a row with no other. */
function loneRows(line: LineCounters): readonly Row[] {
  return loneCounters.map((name) => [
    retold(counterCatalogue[name].title),
    line[name] === 0 ? "" : groupDigits(line[name]),
  ]);
}

/** `served by L1 20%, L2 30%, DRAM 50%`: modelled, from the distances of reuse. */
function levelText({
  fromFirstLevel = 0,
  fromSecondLevel = 0,
  fromMemory,
  globalLoadSectors = 0,
}: Partial<MovedBytes> = {}): string {
  if (fromMemory === undefined || globalLoadSectors === 0) return "";
  const share = (part: number): string => describeShare(part / globalLoadSectors);
  return t`served by L1 ${share(fromFirstLevel)}, L2 ${share(fromSecondLevel)}, DRAM ${share(fromMemory)} (modelled)`;
}

/** Rows for the distances of reuse of loads and stores. */
export function reuseTexts({ loadReuse, storeReuse }: ReuseCounters): readonly (readonly [string, string])[] {
  return [
    [t`reuse of loads`, reuseText(loadReuse)],
    [t`reuse of stores`, reuseText(storeReuse)],
  ];
}

/**
 * `first touch 25%; by the same block within 2 KiB 50%; by other blocks within 4 MiB 25%`: how many bytes of
 * other sectors were touched since a sector was touched last. Empty where nothing was touched again.
 */
function reuseText(reuse: SectorReuse | undefined): string {
  if (reuse === undefined) return "";
  const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);
  const all = reuse.first + sum(reuse.sameBlock) + sum(reuse.otherBlocks);
  if (all === reuse.first) return "";
  const share = (part: number): string => describeShare(part / all);
  const distances = (parts: readonly number[]): string =>
    parts
      .flatMap((part, at) => (part / all < quietReuse ? [] : [`${distanceText(at)} ${share(part)}`]))
      .join(", ");
  const [same, other] = [distances(reuse.sameBlock), distances(reuse.otherBlocks)];
  return [
    t`first touch ${share(reuse.first)}`,
    ...(same === "" ? [] : [t`by the same block ${same}`]),
    ...(other === "" ? [] : [t`by other blocks ${other}`]),
  ].join("; ");
}

/** The bytes that a class of distances reaches up to. */
function distanceText(at: number): string {
  return at === reuseClasses - 1
    ? t`beyond ${describeBytes(2 ** (at + firstClassBits - 1) * sectorBytes)}`
    : t`within ${describeBytes(2 ** (at + firstClassBits) * sectorBytes)}`;
}
