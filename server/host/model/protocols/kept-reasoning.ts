import { isJsonObject } from "../../../core/base/json";
import type { WantableField } from "../failure";

/** What an answer of Chat Completions carried beside its words, as fields of the message that goes back. */
export interface KeptFields {
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly object[];
  readonly extra_content?: object;
  /** `extra_content` of the calls, in their order. */
  readonly calls?: readonly (object | undefined)[];
}

/** A piece of a message, or of a call. */
type Piece = Readonly<Record<string, unknown>>;

/** Collects, from the pieces of one answer, what its server may want back. */
export class KeptReasoning {
  private content = "";
  private readonly details: Record<string, unknown>[] = [];
  private extra: object | undefined;
  private readonly calls = new Map<number, object>();

  add({ reasoning_content, reasoning_details, extra_content }: Piece): void {
    if (typeof reasoning_content === "string") this.content += reasoning_content;
    if (Array.isArray(reasoning_details))
      for (const detail of reasoning_details) if (isJsonObject(detail)) this.addDetail(detail);
    if (isJsonObject(extra_content)) this.extra = extra_content;
  }

  addCall(index: number, { extra_content }: Piece): void {
    if (isJsonObject(extra_content)) this.calls.set(index, extra_content);
  }

  /** What there was, for calls in this order; undefined where the answer carried nothing. */
  end(order: readonly number[]): KeptFields | undefined {
    const { content, details, extra, calls } = this;
    const fields: KeptFields = {
      ...(content === "" ? {} : { reasoning_content: content }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(extra === undefined ? {} : { extra_content: extra }),
      ...(calls.size === 0 ? {} : { calls: order.map((index) => calls.get(index)) }),
    };
    return Object.keys(fields).length === 0 ? undefined : fields;
  }

  /** Pieces of one text are joined, its signature comes with the last; what is encrypted comes whole. */
  private addDetail(piece: Record<string, unknown>): void {
    const open = this.details.at(-1);
    const isMore =
      open !== undefined &&
      open["type"] === piece["type"] &&
      open["index"] === piece["index"] &&
      joined.some((name) => typeof piece[name] === "string" || typeof open[name] === "string") &&
      typeof piece["data"] !== "string";
    if (!isMore) {
      this.details.push({ ...piece });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      const before = open[name];
      const isText = joined.includes(name) && typeof before === "string" && typeof value === "string";
      if (isText) open[name] = before + value;
      else if (value !== null && value !== undefined) open[name] = value;
    }
  }
}

const joined = ["text", "summary"];

/** Thoughts that are not there any more: some servers refuse an empty text as they refuse none. */
const unspoken = " ";

/** Google's own word for a call whose signature is not there any more. */
const unsigned = { google: { thought_signature: "skip_thought_signature_validator" } };

/**
 * The fields of an answer as it goes back: as they came, and in the place of what is not there any more (the
 * answer was shortened since, or comes from a log) what servers take that insist on it.
 */
export function returnedFields(
  kept: KeptFields | undefined,
  wanted: ReadonlySet<WantableField>,
): Omit<KeptFields, "calls"> & { readonly calls: NonNullable<KeptFields["calls"]> } {
  const { calls, ...fields } = kept ?? {};
  const isSpoken = kept?.reasoning_content !== undefined || kept?.reasoning_details !== undefined;
  return {
    ...(wanted.has("reasoning_content") && !isSpoken ? { reasoning_content: unspoken } : {}),
    ...fields,
    // Of calls at the same time only the first one is signed.
    calls: calls ?? (wanted.has("thought_signature") ? [unsigned] : []),
  };
}

/** What a server shows that it may want back, by what it sent. */
export function wantedBy({ reasoning_content, calls = [] }: KeptFields): readonly WantableField[] {
  return [
    ...(reasoning_content === undefined ? [] : ["reasoning_content" as const]),
    ...(calls.some((call) => JSON.stringify(call ?? {}).includes("thought_signature"))
      ? ["thought_signature" as const]
      : []),
  ];
}
