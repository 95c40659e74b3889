import {
  mayUseSpecialFunctions,
  missesSpecialFunctions,
  plainMathHeader,
} from "../../../core/base/compiling/special-functions";
import type { JsonObject } from "../../../core/base/json";
import type { SourceTree } from "../../../core/judge/candidate";

interface Compilation<Answer> {
  readonly files: SourceTree;
  /** The settings as the worker takes them. */
  readonly build: JsonObject;
  /** All that is compiled is among the files, but what the system and the toolkit bring. */
  readonly isWhole: boolean;
  readonly send: (build: JsonObject) => Promise<Answer>;
  /** What the compiler said of a source that does not compile; undefined where it does. */
  readonly complaint: (answer: Answer) => string | undefined;
}

/**
 * Has sources compiled without the special functions of <cmath> where nobody asks for them, and with them
 * where one is missed after all: in a header of the system, or by a name that a macro puts together.
 */
export async function withPlainMath<Answer>({
  files,
  build,
  isWhole,
  send,
  complaint,
}: Compilation<Answer>): Promise<Answer> {
  const texts = [...Object.values(files), JSON.stringify(build)];
  if (!isWhole || mayUseSpecialFunctions(texts)) return await send(build);
  const { path, text } = plainMathHeader;
  const answer = await send({ ...build, headers: { [path]: text } });
  return missesSpecialFunctions(complaint(answer) ?? "") ? await send(build) : answer;
}
