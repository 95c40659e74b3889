import { h, type ComponentChild } from "preact";
import {
  describeBytes,
  describeCount,
  describeShare,
  groupDigits,
} from "../../../server/core/words/quantities";
import type { MemoryLink } from "../../../server/core/timing/pictures/memory-links";
import type { ComparedFigure } from "../../../server/protocol/performance-views";
import { type MemoryArrow, memoryChart } from "./geometry/memory-chart";
import { Numbers } from "./numbers";
import { linkWords } from "./words";
import { t } from "../common/localized";

/** So many transactions over the fewest are worth a colour. */
const wasteful = 1.2;

/** What moves between the kernel and the levels of memory, the ideal beside the actual. */
export function MemoryPicture({ figure }: { readonly figure: ComparedFigure }): ComponentChild {
  const { boxes, arrows, width, height } = memoryChart(figure.memory);
  return [
    h(
      "svg",
      {
        class: "picture",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${t("Memory. {0}", figure.title)}: ${figure.memory.map((link) => `${t(linkWords[link.name])}: ${describeBytes(link.bytes)}`).join("; ")}`,
      },
      boxes.map(({ title, x, y, width: wide, height: high }) => [
        h("rect", { class: "box", x, y, width: wide, height: high, rx: 4 }),
        h("text", { class: "middle title", x: x + wide / 2, y: y + high / 2 + 4 }, title),
      ]),
      arrows.map(arrowPart),
    ),
    h(Numbers, {
      title: t("Memory. {0}", figure.title),
      heads: [
        t("Way"),
        t("Asked for"),
        t("Moved"),
        t("Transactions"),
        t("Fewest possible"),
        t("Times the fewest"),
      ],
      rows: figure.memory.map(rowOf),
    }),
  ];
}

function arrowPart({ link, y, fromX, toX, width, excess }: MemoryArrow): ComponentChild {
  const head = 9 * Math.sign(toX - fromX);
  const isWasteful = excess !== null && excess > wasteful;
  const middle = (fromX + toX) / 2;
  return h(
    "g",
    { class: `arrow${isWasteful ? " wasteful" : ""}` },
    h("line", { x1: fromX, x2: toX - head, y1: y, y2: y, "stroke-width": width }),
    h("path", { d: `M${toX} ${y}l${-head} -7v14z` }),
    h(
      "text",
      { class: "middle", x: middle, y: y - 9 },
      `${describeBytes(link.bytes)} ${shortWords(link)}${isWasteful ? t(", {0} × ideal", Number(excess.toPrecision(2))) : ""}`,
    ),
    h("text", { class: "axis middle", x: middle, y: y + 19 }, transactionsText(link, excess)),
  );
}

function shortWords({ name }: MemoryLink): string {
  if (name.endsWith("Loads")) return t("loaded");
  if (name.endsWith("Stores")) return t("stored");
  return name === "globalAtomics" ? t("by atomics") : t("moved");
}

function unitOf({ name }: MemoryLink): string {
  return name === "shared" ? t("wavefronts") : t("sectors");
}

function transactionsText(link: MemoryLink, excess: number | null): string {
  const count = `${describeCount(link.transactions)} ${unitOf(link)}`;
  if (excess === null || link.idealTransactions === null) return count;
  if (excess <= wasteful) return t("{0}, {1} ideal", count, describeShare(1 / excess));
  return t("{0}, ideal {1}", count, describeCount(link.idealTransactions));
}

function rowOf(link: MemoryLink): readonly string[] {
  const { askedBytes, bytes, transactions, idealTransactions: ideal } = link;
  return [
    t(linkWords[link.name]),
    askedBytes === null ? "" : describeBytes(askedBytes),
    describeBytes(bytes),
    `${groupDigits(transactions)} ${unitOf(link)}`,
    ideal === null ? t("not known") : groupDigits(ideal),
    ideal === null || ideal === 0 ? "" : String(Number((transactions / ideal).toPrecision(3))),
  ];
}
