import { speak, type Texts, textsId } from "./localized";

/** Lets a page speak the language of the editor, whose texts the extension has put into it. */
export function speakAsEditor(): void {
  const block = document.getElementById(textsId)?.textContent;
  if (block) speak(JSON.parse(block) as Texts);
}
