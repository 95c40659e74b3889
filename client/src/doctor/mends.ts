import type { DoctorRowView } from "../../../server/protocol/doctor-views";
import { t } from "../../webview/common/localized";
import type { DoctorCard } from "../../webview/common/messages";

/** What a button of the page does. */
export type Mend =
  | { readonly kind: "run"; readonly line: string }
  | { readonly kind: "open-setting" | "reset-setting"; readonly setting: string }
  | { readonly kind: "command"; readonly command: string };

/** A button of a row. */
interface MendButton {
  readonly title: string;
  readonly mend: Mend;
}

const commandTitles: Readonly<Record<string, () => string>> = {
  selectModel: () => t("Select Model"),
  setModelKey: () => t("Set Model Key"),
};

/**
 * What mends a missing piece, what helps most first. `isSet`: whether the user has set the setting that it
 * depends on. A setting that alone decides is what has to change then.
 */
export function mendsOf({ state, remedy, mends }: DoctorRowView, isSet: boolean): readonly MendButton[] {
  if (state === "found") return [];
  const { runs, setting, decides, commands } = mends;
  const buttons: MendButton[] = [];
  if (isSet && decides) buttons.push({ title: t("Reset Setting"), mend: { kind: "reset-setting", setting } });
  else if (runs) buttons.push({ title: t("Run in Terminal"), mend: { kind: "run", line: remedy } });
  for (const command of commands)
    buttons.push({
      title: commandTitles[command]?.() ?? command,
      mend: { kind: "command", command: `kernelwright.${command}` },
    });
  if (setting !== "") buttons.push({ title: t("Open Setting"), mend: { kind: "open-setting", setting } });
  return buttons;
}

/** A row as the page shows it. A line that would help nothing, or that buttons stand for, is not shown. */
export function cardOf(row: DoctorRowView, isSet: boolean): DoctorCard {
  const { piece, state, detail, cost, remedy, mends, protections } = row;
  const isOverruled = isSet && mends.decides;
  return {
    ...{ piece, state, detail, cost, protections },
    remedy: isOverruled || mends.commands.length > 0 ? "" : remedy,
    note: isOverruled ? t("It is named by the setting kernelwright.{0}.", mends.setting) : "",
    buttons: mendsOf(row, isSet).map(({ title }) => title),
  };
}
