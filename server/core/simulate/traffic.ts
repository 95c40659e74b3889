import type { Executed, ExecutedInstruction } from "../timing/execution/executed";
import { type SectorReuse, addReuse, reuseClasses, firstClassBits } from "../timing/reuse";

const sectorBytes = 32;
const lanes = 32;

/** Caches as one block has them, in bytes. */
export interface CacheRoom {
  readonly firstLevelBytesPerBlock: number;
  readonly secondLevelBytes: number;
  /** Blocks that run at the same time on the whole GPU, and blocks of the launch. */
  readonly blocksAtOnce: number;
  readonly blocks: number;
  /** Of all buffers that the launch was given. */
  readonly footprintBytes: number;
}

/** Where the sectors of a group of instructions are served. Shares of all their sectors. */
export interface Served {
  readonly firstLevel: number;
  readonly memory: number;
  /** Those that are waited for until DRAM has answered, whoever asked it. */
  readonly awaited: number;
}

/** Sectors that a number of blocks touch, each counted once. */
type DistinctSectors = (blocks: number) => number;

const nothing: SectorReuse = { first: 0, sameBlock: [], otherBlocks: [] };

function count(classes: readonly number[]): number {
  return classes.reduce((sum, each) => sum + each, 0);
}

/** All reuse of some instructions. */
export function reuseOfAll(instructions: readonly ExecutedInstruction[]): SectorReuse {
  return instructions.reduce(
    (sum, { access }) => (access?.reuse ? addReuse(sum, access.reuse) : sum),
    nothing,
  );
}

/**
 * How the distinct sectors grow with the number of blocks: as a power, through one block and the blocks that
 * were run. Exact at both; what blocks share shows as a power below one.
 */
function distinctSectors(reuse: SectorReuse, sampled: number, footprintBytes: number): DistinctSectors {
  const ofOne = (reuse.first + count(reuse.otherBlocks)) / Math.max(1, sampled);
  const power = sampled > 1 && ofOne > 0 ? Math.log(Math.max(1, reuse.first / ofOne)) / Math.log(sampled) : 1;
  const most = footprintBytes / sectorBytes;
  return (blocks) => Math.min(most, ofOne * blocks ** Math.min(1, power));
}

/**
 * Which share of a group's sectors each level serves. The first level serves what the same block touched
 * within its share. Blocks that run at the same time share what they read: the second level holds it once. A
 * launch whose data do not fit there fetches what its blocks touch again for each round of blocks.
 */
export function servedBy(reuse: SectorReuse, executed: Executed, room: CacheRoom, isStore: boolean): Served {
  const all = reuse.first + count(reuse.sameBlock) + count(reuse.otherBlocks);
  if (all === 0) return { firstLevel: 0, memory: 0, awaited: 0 };
  const launch = reuseOfAll(executed.instructions);
  const distinct = distinctSectors(launch, executed.blocks, room.footprintBytes);
  const fits = distinct(room.blocks) * sectorBytes <= room.secondLevelBytes;
  // Between two accesses of one block the others touch what they do not share with it.
  const spread = distinct(room.blocksAtOnce) / Math.max(1, distinct(1));
  let [near, far] = [0, 0];
  reuse.sameBlock.forEach((sectors, at) => {
    const held = isStore ? 0 : shareWithin(at, room.firstLevelBytesPerBlock);
    const kept = fits ? 1 : Math.max(held, shareWithin(at, room.secondLevelBytes / spread));
    near += sectors * held;
    far += sectors * (1 - kept);
  });
  const cold = coldSectors(reuse, executed, room, fits);
  const beyond = 1 - near / all;
  return {
    firstLevel: near / all,
    memory: Math.min(beyond, (cold + far) / all),
    awaited: Math.min(beyond, (awaitedSectors(reuse, executed, room, cold) + far) / all),
  };
}

/**
 * Of the sectors that blocks touch first, those that no earlier round of blocks has brought into the second
 * level. The blocks of a round begin together and ask for what they share at the same time: one of them makes
 * DRAM read it, and all wait for that.
 */
function awaitedSectors(reuse: SectorReuse, executed: Executed, room: CacheRoom, cold: number): number {
  const distinct = distinctSectors(reuse, executed.blocks, room.footprintBytes);
  const rounds = Math.max(1, room.blocks / room.blocksAtOnce);
  const ofRound = distinct(Math.min(room.blocks, room.blocksAtOnce));
  const part = executed.blocks / Math.max(1, room.blocks);
  const share = cold / Math.max(1e-9, part * rounds * ofRound);
  return (reuse.first + count(reuse.otherBlocks)) * Math.min(1, share);
}

/**
 * Where local memory is served, `bytes` of it a thread: the first level keeps what is written, as far as its
 * share has room for all threads of a block; the second level takes the rest.
 */
export function localServedBy(bytes: number, executed: Executed, room: CacheRoom): Served {
  const threads = (lanes * executed.warps) / Math.max(1, executed.blocks);
  const ofBlock = Math.max(1, bytes * threads);
  const firstLevel = Math.min(1, room.firstLevelBytesPerBlock / ofBlock);
  const held = Math.min(1, room.secondLevelBytes / (ofBlock * room.blocksAtOnce));
  const memory = (1 - firstLevel) * (1 - held);
  return { firstLevel, memory, awaited: memory };
}

/** Sectors that the blocks which were run have to fetch, as their part of the whole launch. */
function coldSectors(reuse: SectorReuse, executed: Executed, room: CacheRoom, fits: boolean): number {
  const distinct = distinctSectors(reuse, executed.blocks, room.footprintBytes);
  const part = executed.blocks / Math.max(1, room.blocks);
  if (fits) return distinct(room.blocks) * part;
  const rounds = Math.max(1, room.blocks / room.blocksAtOnce);
  return Math.max(distinct(room.blocks), rounds * distinct(Math.min(room.blocks, room.blocksAtOnce))) * part;
}

/** Share of a class's distances that a cache of so many bytes catches, 0 to 1. */
function shareWithin(at: number, bytes: number): number {
  const sectors = bytes / sectorBytes;
  const from = at === 0 ? 0 : 2 ** (at + firstClassBits - 1);
  const to = 2 ** (at + firstClassBits);
  if (at === reuseClasses - 1) return 0;
  return Math.min(1, Math.max(0, (sectors - from) / (to - from)));
}
