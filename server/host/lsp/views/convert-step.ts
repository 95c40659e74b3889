import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import type { SessionEvent } from "../../../core/trajectory/events";
import type { StepSection, TimelineStep } from "../../../core/trajectory/timeline/step";
import type { StepSectionView, StepView } from "../../../protocol/timeline-views";

/** A page shows this many characters of a text; the whole stands in the log. */
const sectionLimit = 200_000;

/** A part of a step with its text, cut where it is too long for a page. */
export const toStepSection = shown(({ title, language }: StepSection, text: string): StepSectionView => {
  return {
    title,
    language,
    text: text.slice(0, sectionLimit),
    omitted: Math.max(0, text.length - sectionLimit),
  };
});

/** One event as a page. */
export const toStepView = shown(
  (
    event: SessionEvent,
    row: TimelineStep | undefined,
    {
      candidate,
      sections,
    }: { readonly candidate: string | undefined; readonly sections: readonly StepSectionView[] },
  ): StepView => {
    const type = event.type === "unread" ? event.data.type : event.type;
    return {
      seq: event.seq,
      title: row?.title ?? type,
      origin: t`event ${event.seq} · ${type} · ${event.actor.name ?? event.actor.kind}`,
      time: event.ts,
      sections,
      ...(candidate === undefined ? {} : { candidate }),
    };
  },
);
