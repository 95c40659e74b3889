import { t } from "../../base/localized";
import type { Json } from "../../base/json";
import type { EventData, EventType, SessionEvent, StoredText } from "../events";
import type { StepSection } from "./step";

type SectionsOf<Type extends EventType> = (data: EventData[Type]) => readonly StepSection[];

const plain = (title: string, text: StoredText | null): readonly StepSection[] =>
  text === null || text === "" ? [] : [{ title, text, language: "text" }];

const json = (title: string, value: unknown): StepSection => ({
  title,
  text: JSON.stringify(value as Json, undefined, 2),
  language: "json",
});

/** Types whose content is worth more than its JSON. */
const sections: { readonly [Type in EventType]?: SectionsOf<Type> } = {
  "message.system": ({ text }) => plain(t`Message`, text),
  "message.user": ({ text }) => plain(t`Message`, text),
  "message.said": ({ text }) => plain(t`Message`, text),
  "message.injected": ({ text }) => plain(t`Message`, text),
  "llm.response": ({ text, reasoning, tool_calls, usage, cost }) => [
    ...plain(t`Answer`, text),
    ...plain(t`Reasoning`, reasoning),
    ...tool_calls.flatMap(({ name, raw_arguments }) => plain(t`Call of ${name}`, raw_arguments)),
    json(t`Tokens and cost`, { usage, cost }),
  ],
  "llm.failed": ({ message }) => plain(t`What the endpoint said`, message),
  "tool.called": ({ arguments: given }) => [json(t`Arguments`, given)],
  "tool.returned": ({ output, shown }) => [
    ...plain(t`Result`, output),
    ...(isSame(output, shown) ? [] : plain(t`What the model was shown`, shown)),
  ],
};

function isSame(left: StoredText, right: StoredText): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** What an event holds, in parts to be read in full: its texts where it has any, else its data as JSON. */
export function sectionsOf(event: SessionEvent): readonly StepSection[] {
  if (event.type === "unread") return [json(t`Content`, event.data.content)];
  const own = sections[event.type] as SectionsOf<typeof event.type> | undefined;
  const found = own?.(event.data as never) ?? [];
  return found.length > 0 ? found : [json(t`Data`, event.data)];
}
