import { show } from "./handshake/user-language";
import { retold, t } from "../../core/base/localized";
import { type CancellationToken, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { OperationalError } from "../../core/base/operational-error";
import type { RequestErrorData, Requests } from "../../protocol/requests";
import type { ServerContext } from "./context";
import type { Handler } from "./handlers/handler";
import { router } from "./router";

/** Ties every line of the router to the connection. */
export function registerRequests(context: ServerContext): void {
  for (const method of Object.keys(router) as (keyof Requests)[]) register(context, method);
}

function register<Method extends keyof Requests>(context: ServerContext, method: Method): void {
  const handler = router[method] as Handler<Method>;
  context.connection.onRequest<unknown, RequestErrorData>(
    method,
    async (params: Requests[Method][0], token: CancellationToken): Promise<unknown> => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        return await handler(context, params, controller.signal);
      } catch (thrown) {
        const again = await recordedAgain(context, params, thrown);
        return toResponseError(context, method, { thrown, again });
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** The program that a request lacks the recording of, by its address. */
async function recordedAgain(
  { workspaces }: ServerContext,
  params: object,
  thrown: unknown,
): Promise<RequestErrorData["recordAgain"]> {
  const program = thrown instanceof OperationalError ? thrown.recordAgain : undefined;
  if (typeof program !== "object" || !("uri" in params) || typeof params.uri !== "string") return undefined;
  const { folder } = await workspaces.placeOf(params.uri);
  const { file, arguments: words, compileOptions } = program;
  return { uri: workspaces.uriOf(folder, file), arguments: words, compileOptions };
}

/**
 * An operational failure keeps its sentence, code and remedy; anything else is a bug of ours: logged whole,
 * answered in one sentence.
 */
function toResponseError(
  context: ServerContext,
  method: string,
  { thrown, again }: { readonly thrown: unknown; readonly again: RequestErrorData["recordAgain"] },
): ResponseError<RequestErrorData> {
  if (thrown instanceof OperationalError) {
    const code = thrown.code === "cancelled" ? LSPErrorCodes.RequestCancelled : LSPErrorCodes.RequestFailed;
    return new ResponseError(
      code,
      show(() => retold(thrown.message)),
      {
        code: thrown.code,
        ...(thrown.remedy === undefined ? {} : { remedy: thrown.remedy }),
        ...(thrown.place === undefined ? {} : { place: thrown.place }),
        ...(again === undefined ? {} : { recordAgain: again }),
      },
    );
  }
  context.connection.console.error(
    `${method}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
  );
  return new ResponseError(
    LSPErrorCodes.RequestFailed,
    show(() => t`${method} failed because of an error in Kernelwright; the log has the details.`),
    { code: "bug" },
  );
}
