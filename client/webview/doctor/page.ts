import { h, type ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Channel } from "../common/host";
import { t } from "../common/localized";
import type { DoctorCard, FromDoctorPage, ToDoctorPage } from "../common/messages";
import { Protections } from "./protections";

type PageChannel = Channel<ToDoctorPage, FromDoctorPage>;

interface PageState {
  readonly cards: readonly DoctorCard[];
  readonly isLooking: boolean;
  /** What went wrong the last time; empty when nothing did. */
  readonly trouble: string;
}

/** What is on this machine: what is missing first, with the buttons that mend it. */
export function DoctorPage({ channel }: { readonly channel: PageChannel }): ComponentChild {
  const [state, setState] = useState<PageState>({ cards: [], isLooking: true, trouble: "" });
  useEffect(() => {
    channel.listen((message) => setState((before) => received(before, message)));
    channel.send({ kind: "look" });
  }, [channel]);
  const { cards, isLooking, trouble } = state;
  const found = cards.filter(isFound);
  return h(
    "main",
    {},
    h("h1", {}, t("What Kernelwright finds on this machine")),
    h(
      "p",
      { class: "look" },
      h(
        "button",
        { type: "button", disabled: isLooking, onClick: () => channel.send({ kind: "look" }) },
        t("Look Again"),
      ),
      h("span", { role: "status" }, isLooking ? t("Looking …") : ""),
    ),
    trouble === "" ? null : h("p", { class: "trouble", role: "alert" }, trouble),
    cards
      .filter((card) => !isFound(card))
      .map((card) =>
        h(Card, {
          key: card.piece,
          card,
          press: (button) => channel.send({ kind: "press", piece: card.piece, button }),
        }),
      ),
    found.length === 0 ? null : h(Found, { cards: found }),
  );
}

function isFound({ state }: DoctorCard): boolean {
  return state === "found";
}

function received(state: PageState, message: ToDoctorPage): PageState {
  switch (message.kind) {
    case "looking":
      return { ...state, isLooking: true, trouble: "" };
    case "cards":
      return { cards: message.cards, isLooking: false, trouble: "" };
    case "failed":
      return { ...state, isLooking: false, trouble: message.sentence };
  }
}

interface CardProps {
  readonly card: DoctorCard;
  press(button: number): void;
}

function Card({ card, press }: CardProps): ComponentChild {
  const { piece, state, detail, cost, remedy, note, buttons, protections } = card;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, piece, h("span", { class: "state" }, stateWord(state))),
    h("p", {}, detail),
    note === "" ? null : h("p", {}, note),
    cost === "" ? null : h("p", {}, cost),
    remedy === "" ? null : h("pre", { tabIndex: 0 }, remedy),
    protections.length === 0 ? null : h(Protections, { all: protections }),
    buttons.length === 0
      ? null
      : h(
          "p",
          { class: "buttons" },
          buttons.map((title, index) =>
            h(
              "button",
              { type: "button", "aria-label": `${title}: ${piece}`, onClick: () => press(index) },
              title,
            ),
          ),
        ),
  );
}

function stateWord(state: DoctorCard["state"]): string {
  return state === "missing" ? t("missing") : t("cannot be used");
}

function Found({ cards }: { readonly cards: readonly DoctorCard[] }): ComponentChild {
  return h(
    "section",
    { class: "found" },
    h("h2", {}, t("Found")),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        cards.map(({ piece, detail, protections }) =>
          h(
            "tr",
            { key: piece },
            h("th", { scope: "row" }, piece),
            h("td", {}, detail, protections.length === 0 ? null : h(Protections, { all: protections })),
          ),
        ),
      ),
    ),
  );
}
