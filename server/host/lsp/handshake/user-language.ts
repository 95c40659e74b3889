import { isJsonObject } from "../../../core/base/json";
import { inLanguage, Language } from "../../../core/base/localized";

export { retold, t } from "../../../core/base/localized";

/** A server has one client, and its user one language; undefined for English. */
let language: Language | undefined;

/** From now on what the editor shows is told by these texts; `sent` is what the client sent, if anything. */
export function speak(sent: unknown): void {
  const texts = isJsonObject(sent) ? Object.entries(sent) : [];
  const known = texts.filter((each): each is [string, string] => typeof each[1] === "string");
  language = known.length === 0 ? undefined : new Language(Object.fromEntries(known));
}

/** What an answer comes to: one that is composed later would be in English. */
type AtOnce<Answer> = Answer extends Promise<unknown> ? never : Answer;

/** Makes of a function that composes what the editor shows one that does so in the user's language. */
export function shown<Given extends readonly unknown[], Answer>(
  compose: (...given: Given) => AtOnce<Answer>,
): (...given: Given) => AtOnce<Answer> {
  return (...given) => inLanguage(language, () => compose(...given));
}

/** The same at once. */
export function show<Answer>(compose: () => AtOnce<Answer>): AtOnce<Answer> {
  return inLanguage(language, compose);
}
