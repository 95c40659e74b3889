import { pathOfUri, uriOfPath } from "../uris";

/** One spelling for an address, whoever wrote it. */
function addressOf(uri: string): string {
  const path = pathOfUri(uri);
  return path === undefined ? uri : uriOfPath(path);
}

/** Where files are now that the client has seen renamed, by the address that a session knows them by. */
export class MovedFiles {
  private readonly places = new Map<string, string>();

  /** A file goes to another address; one that had moved before is still known by its first. */
  note(old: string, now: string): void {
    const [from, to] = [addressOf(old), addressOf(now)];
    const first = [...this.places].find(([, place]) => place === from)?.[0] ?? from;
    if (first === to) this.places.delete(first);
    else this.places.set(first, to);
  }

  /** Where a file is by what is known: its own address when it never moved. */
  placeOf(uri: string): string {
    return this.places.get(addressOf(uri)) ?? uri;
  }
}
