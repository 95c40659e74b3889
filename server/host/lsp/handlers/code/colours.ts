import type { Handler } from "../handler";
import { colours } from "../language/coloured";

/** For our own client, which leaves the colours to other extensions where these have any. */
export const coloursOf: Handler<"kernelwright/colours"> = (context, { uri }) =>
  Promise.resolve(colours(context, uri) ?? null);
