import type { LinkName, MemoryLink } from "../../../../server/core/timing/pictures/memory-links";

/** A level of memory, or the kernel itself. */
interface MemoryBox {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What moves between two boxes, as an arrow in the direction of the data. */
export interface MemoryArrow {
  readonly link: MemoryLink;
  readonly y: number;
  readonly fromX: number;
  readonly toX: number;
  /** Wider for more bytes. */
  readonly width: number;
  /** Transactions over the fewest that would do; null where that is not known. */
  readonly excess: number | null;
}

interface MemoryChart {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly MemoryBox[];
  readonly arrows: readonly MemoryArrow[];
}

const columns = { kernel: [2, 86], first: [306, 376], second: [596, 666], memory: [886, 956] } as const;
const rowHeight = 54;
const top = 34;

type Column = keyof typeof columns;

/** Between which columns a link runs; data of loads goes to the left, of stores to the right. */
const ways: Readonly<Record<LinkName, { readonly from: Column; readonly to: Column }>> = {
  globalLoads: { from: "first", to: "kernel" },
  globalStores: { from: "kernel", to: "first" },
  globalAtomics: { from: "kernel", to: "first" },
  local: { from: "kernel", to: "first" },
  shared: { from: "kernel", to: "first" },
  secondLevelLoads: { from: "second", to: "first" },
  secondLevelStores: { from: "first", to: "second" },
  memoryLoads: { from: "memory", to: "second" },
  memoryStores: { from: "second", to: "memory" },
};

const besideKernel: readonly LinkName[] = ["globalLoads", "globalStores", "globalAtomics", "local"];

/** Boxes from the kernel to DRAM, and an arrow for each link; shared memory stands below the first level. */
export function memoryChart(links: readonly MemoryLink[]): MemoryChart {
  const rows = Math.max(2, besideKernel.filter((name) => links.some((link) => link.name === name)).length);
  const hasShared = links.some(({ name }) => name === "shared");
  const sharedRow = rows + 0.4;
  const height = top + (hasShared ? sharedRow + 1 : rows) * rowHeight;
  const cached = { y: 22, height: rows * rowHeight };
  const box = (title: string, column: Column): Pick<MemoryBox, "title" | "x" | "width"> => ({
    title,
    x: columns[column][0],
    width: columns[column][1] - columns[column][0],
  });
  return {
    width: columns.memory[1] + 2,
    height,
    boxes: [
      { ...box("Kernel", "kernel"), y: 22, height: height - 34 },
      { ...box("L1", "first"), ...cached },
      { ...box("L2", "second"), ...cached },
      { ...box("DRAM", "memory"), ...cached },
      ...(hasShared
        ? [{ ...box("Shared", "first"), y: top + sharedRow * rowHeight - 4, height: rowHeight - 8 }]
        : []),
    ],
    arrows: links.map((link) => arrowOf(link, rowOf(link.name, links, sharedRow))),
  };
}

function rowOf(name: LinkName, links: readonly MemoryLink[], sharedRow: number): number {
  if (name === "shared") return sharedRow;
  const present = besideKernel.filter((each) => links.some((link) => link.name === each));
  if (present.includes(name)) return present.indexOf(name);
  return name.endsWith("Loads") ? 0 : 1;
}

function arrowOf(link: MemoryLink, row: number): MemoryArrow {
  const { from, to } = ways[link.name];
  const [a, b] = [columns[from], columns[to]];
  const isLeftwards = a[0] > b[0];
  const { idealTransactions: ideal } = link;
  return {
    link,
    y: top + (row + 0.5) * rowHeight,
    fromX: isLeftwards ? a[0] : a[1],
    toX: isLeftwards ? b[1] : b[0],
    width: Math.min(9, Math.max(1.5, Math.log10(Math.max(1, link.bytes)) - 1)),
    excess: ideal === null || ideal === 0 ? null : link.transactions / ideal,
  };
}
