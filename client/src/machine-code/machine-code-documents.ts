import {
  Disposable,
  EventEmitter,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";
import type { ListingView, MachineCodeView } from "../../../server/protocol/views";
import { addressOf } from "../review/review-store";
import type { ServerConnection } from "../server/connection";

const scheme = "kernelwright-code";

/** A listing with the source that it was made of. */
export interface ShownListing {
  /** Address of the source. */
  readonly source: string;
  readonly code: MachineCodeView;
  readonly listing: ListingView;
}

/** Which listing of which kernel a document shows; it stands in the document's address. */
interface Shown extends KernelParams {
  readonly form: string;
  readonly instance: string;
}

/**
 * PTX, machine code and what lies between, of kernels, as read-only documents. They are made anew when the
 * source is saved; after a reload of the window, when they are first looked at.
 */
export class MachineCodeDocuments implements TextDocumentContentProvider, Disposable {
  private readonly known = new Map<string, ShownListing>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly listed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable;
  readonly onDidChange = this.changed.event;
  /** There is another listing, or another text of one. */
  readonly onDidList = this.listed.event;

  constructor(private readonly connection: ServerConnection) {
    this.subscriptions = Disposable.from(
      this.changed,
      this.listed,
      workspace.registerTextDocumentContentProvider(scheme, this),
      workspace.onDidSaveTextDocument(({ uri }) => this.refresh(addressOf(uri))),
      workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())),
    );
  }

  /** The listing that a document shows. */
  listingOf(uri: Uri): ShownListing | undefined {
    return this.known.get(uri.toString());
  }

  /** Shows a listing in the column beside the source, and leaves the keyboard where it is. */
  async show(kernel: KernelParams, code: MachineCodeView, listing: ListingView): Promise<void> {
    const address = addressFor({ ...kernel, form: listing.form, instance: listing.kernel });
    this.put(address, { source: addressOf(kernel.uri), code, listing });
    const source = window.visibleTextEditors.find(
      ({ document }) => addressOf(document.uri) === addressOf(kernel.uri),
    );
    const shown =
      source ?? (await window.showTextDocument(Uri.parse(kernel.uri), { viewColumn: ViewColumn.One }));
    await window.showTextDocument(address, {
      viewColumn: (shown.viewColumn ?? ViewColumn.One) + 1,
      preserveFocus: true,
      preview: true,
    });
    this.listed.fire(undefined);
  }

  /** Made again of the kernel that the address names, unless it is known. */
  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const known = this.known.get(uri.toString());
    if (known !== undefined) return known.listing.text;
    const shown = shownBy(uri);
    // Anybody can open an address of this scheme: one that names no kernel shows an empty document.
    if (shown === undefined) return "";
    const found = await this.listingFor(shown);
    if (found === undefined) return "";
    this.put(uri, found);
    this.listed.fire(undefined);
    return found.listing.text;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private put(address: Uri, shown: ShownListing): void {
    this.known.set(address.toString(), shown);
    this.changed.fire(address);
  }

  private async listingFor({ form, instance, ...kernel }: Shown): Promise<ShownListing | undefined> {
    const code = await this.connection.request("kernelwright/machineCode", kernel);
    const listing = code.listings.find((each) => each.form === form && each.kernel === instance);
    return listing && { source: addressOf(kernel.uri), code, listing };
  }

  /** A source that does not compile leaves its listings as they were: the compiler's errors stand on it. */
  private refresh(source: string): void {
    for (const [address, { source: own }] of this.known) {
      const uri = Uri.parse(address, true);
      const shown = own === source ? shownBy(uri) : undefined;
      if (shown === undefined) continue;
      void this.listingFor(shown).then(
        (found) => {
          if (found === undefined || !this.known.has(address)) return;
          this.put(uri, found);
          this.listed.fire(undefined);
        },
        () => undefined,
      );
    }
  }
}

/** The path ends as files of that form do, so that the editor knows the language. */
function addressFor({ uri, kernel, form, instance }: Shown): Uri {
  const query = new URLSearchParams({ uri, kernel, form, instance }).toString();
  return Uri.from({ scheme, path: `/${instance.replace(/[^\w<>, ]/g, "_")}.${form}`, query });
}

function shownBy(address: Uri): Shown | undefined {
  const query = new URLSearchParams(address.query);
  const [uri, kernel] = [query.get("uri"), query.get("kernel")];
  const [form, instance] = [query.get("form"), query.get("instance")];
  if (uri === null || kernel === null || form === null || instance === null) return undefined;
  return { uri, kernel, form, instance };
}
