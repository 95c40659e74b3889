import { type DeviceMemory, linearAddress } from "../../memory/device-memory";
import { reuseLayout } from "../../layout";
import { bitCount } from "../../numbers";

/**
 * Where the parts of a launch's reuse area lie (bytes from its start). Without counters it is only a header.
 */
export interface ReuseArea {
  readonly sectors: number;
  readonly slots: number;
  readonly entries: number;
  readonly bits: number;
  readonly groups: number;
  readonly regions: number;
  readonly size: number;
}

const slotsPerRegion = 65_536;
const slotsPerGroup = 1024;

/**
 * Plans the area: 4 bytes and two slots (a bit each) for each 32-byte sector of global memory. With two slots
 * a sector, renumbering costs no more than the touches that led to it.
 */
export function planReuse(memory: DeviceMemory, counters: boolean): ReuseArea {
  if (!counters)
    return { sectors: 0, slots: 0, entries: 0, bits: 0, groups: 0, regions: 0, size: reuseLayout.header };
  const end = memory
    .allocations()
    .reduce((most, { address, bytes }) => Math.max(most, linearAddress(address) + bytes), 0);
  const sectors = Math.ceil(end / 32);
  const regionCount = Math.max(1, Math.ceil((2 * sectors) / slotsPerRegion));
  const slots = regionCount * slotsPerRegion;
  const entries = reuseLayout.header;
  const bits = Math.ceil((entries + 4 * sectors) / 8) * 8;
  const groups = bits + slots / 8 + 8;
  const regions = groups + 4 * (slots / slotsPerGroup + 1);
  return { sectors, slots, entries, bits, groups, regions, size: regions + 4 * (regionCount + 1) };
}

/** Writes the header of a zeroed area; `at`: its linear address. */
export function initializeReuse(view: DataView, at: number, area: ReuseArea): void {
  const word = (offset: number, value: number): void => view.setUint32(at + offset, value, true);
  word(reuseLayout.slots, area.slots);
  word(reuseLayout.sectors, area.sectors);
  word(reuseLayout.entries, at + area.entries);
  word(reuseLayout.bits, at + area.bits);
  word(reuseLayout.groups, at + area.groups);
  word(reuseLayout.regions, at + area.regions);
}

/**
 * Renumbers the live slots from 0 in the same order, once all numbers are used up. At most half of the slots
 * are live: one for each sector.
 */
export function renumberReuse(buffer: ArrayBuffer, at: number, area: ReuseArea): void {
  const header = new Uint32Array(buffer, at, reuseLayout.header / 4);
  const entries = new Uint32Array(buffer, at + area.entries, area.sectors);
  const words = new Uint32Array(buffer, at + area.bits, area.slots / 32);
  const before = new Uint32Array(words.length + 1);
  for (let index = 0; index < words.length; index += 1)
    before[index + 1] = (before[index] ?? 0) + bitCount(words[index] ?? 0);
  const rank = (slot: number): number =>
    (before[slot >>> 5] ?? 0) + bitCount((words[slot >>> 5] ?? 0) & (2 ** (slot & 31) - 1));
  for (let sector = 0; sector < entries.length; sector += 1) {
    const entry = entries[sector] ?? 0;
    const slot = entry & ~reuseLayout.dirty;
    if (slot !== 0) entries[sector] = (rank(slot - 1) + 1) | (entry & reuseLayout.dirty);
  }
  const used = before[words.length] ?? 0;
  const start = reuseLayout.blockStart / 4;
  header[start] = rank(header[start] ?? 0);
  header[reuseLayout.now / 4] = used;
  // The first `used` bits are set, all others clear.
  words.fill(0);
  words.fill(0xffff_ffff, 0, used >>> 5);
  if (used % 32 > 0) words[used >>> 5] = 2 ** (used % 32) - 1;
  const counts = (offset: number, size: number): void => {
    new Uint32Array(buffer, at + offset, area.slots / size).forEach((_, index, array) => {
      array[index] = Math.min(size, Math.max(0, used - index * size));
    });
  };
  counts(area.groups, slotsPerGroup);
  counts(area.regions, slotsPerRegion);
}
