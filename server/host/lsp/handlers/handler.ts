import type { Requests } from "../../../protocol/requests";
import type { ServerContext } from "../context";

/** Answers one request of our own. Throws OperationalError for what goes wrong in the world. */
export type Handler<Method extends keyof Requests> = (
  context: ServerContext,
  params: Requests[Method][0],
  signal: AbortSignal,
) => Promise<Requests[Method][1]>;

/** A handler for each request. */
export type Routes = { readonly [Method in keyof Requests]: Handler<Method> };
