import type { Connection } from "vscode-languageserver";
import { toOperational } from "../../core/base/operational-error";
import type { ServerContext } from "./context";

/** Lets a task run on its own; its failure is written to the client's log. */
export function backgroundOf({ console }: Pick<Connection, "console">): ServerContext["background"] {
  return (what, task) => {
    task.catch((thrown: unknown) =>
      console.error(`${what}: ${toOperational(thrown, "tool-failed").message}`),
    );
  };
}

/** Begins each task when those given before it have ended, however they ended. */
export function takingTurns(): ServerContext["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
