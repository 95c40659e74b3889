import { h, type ComponentChild } from "preact";
import { t } from "../common/localized";
import type { DoctorProtection } from "../common/messages";

/** Each wall around candidates: what it keeps from happening, whether it stands, and what brings it about. */
export function Protections({ all }: { readonly all: readonly DoctorProtection[] }): ComponentChild {
  return h(
    "table",
    { class: "protections" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        [t("Protection"), t("State"), t("What that means")].map((title) =>
          h("th", { key: title, scope: "col" }, title),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      all.map(({ title, against, isActive, mend }) =>
        h(
          "tr",
          { key: title },
          h("th", { scope: "row" }, title),
          h("td", {}, isActive ? t("active") : h("strong", {}, t("missing"))),
          h("td", {}, against, mend === "" ? null : h("p", {}, mend)),
        ),
      ),
    ),
  );
}
