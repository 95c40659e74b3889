import { pathToFileURL } from "node:url";

/** A server has one place; undefined where it was started without pages. */
let madeHow: string | undefined;

/** Where the page lies that says how modelled numbers are made: a path. */
export function keepMadeHow(page: string): void {
  madeHow = pathToFileURL(page).href;
}

/** What an editor opens of it; undefined where there is none. */
export function madeHowLink(): string | undefined {
  return madeHow;
}
