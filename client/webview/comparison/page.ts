import { h, type ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Channel } from "../common/host";
import type { FromComparisonPage, ToComparisonPage } from "../common/messages";
import { Curves } from "./curves";
import { bestCurve, comparedRows, type ComparedSession } from "./model";
import { t } from "../common/localized";

type PageChannel = Channel<ToComparisonPage, FromComparisonPage>;

/** Two sessions side by side: how soon each became how fast, and what that took. */
export function ComparisonPage({ channel }: { readonly channel: PageChannel }): ComponentChild {
  const [told, setTold] = useState<ToComparisonPage | undefined>(undefined);
  useEffect(() => {
    channel.listen(setTold);
    channel.send({ kind: "ready" });
  }, [channel]);
  if (told === undefined)
    return h("main", {}, h("h1", {}, t("Comparison")), h("p", {}, t("Reading the logs …")));
  if (told.kind === "failed")
    return h(
      "main",
      {},
      h("h1", {}, t("Comparison")),
      h("p", { class: "trouble", role: "alert" }, told.sentence),
    );
  return h(
    "main",
    {},
    h("h1", {}, t("Comparison of two sessions")),
    h(Curves, { curves: told.sessions.map(bestCurve) }),
    h(Table, {
      sessions: told.sessions,
      open: (sessionId) => channel.send({ kind: "open", sessionId }),
    }),
  );
}

interface TableProps {
  readonly sessions: readonly ComparedSession[];
  open(sessionId: string): void;
}

function Table({ sessions, open }: TableProps): ComponentChild {
  const heads = sessions.map(({ session }, index) =>
    h(
      "th",
      { scope: "col" },
      h("span", { class: `key key-${index}`, "aria-hidden": "true" }),
      h(
        "button",
        {
          type: "button",
          class: "link",
          onClick: () => open(session.sessionId),
        },
        `${session.name ?? session.kernel}, ${new Date(session.started).toLocaleString()}`,
      ),
    ),
  );
  const rows = comparedRows(sessions).map(({ title, values }) =>
    h(
      "tr",
      { class: new Set(values).size > 1 ? "differs" : "" },
      h("th", { scope: "row" }, title),
      values.map((value) => h("td", {}, value)),
    ),
  );
  return h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), heads)), h("tbody", {}, rows));
}
