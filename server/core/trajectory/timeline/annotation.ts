import * as z from "zod/mini";

/** The longest note, in characters. */
const noteLimit = 4_000;

/**
 * A label that a reader puts on an event. Labels stand in `annotations.jsonl` beside the log and never in it:
 * the log says what happened, and stays as it was.
 */
export const annotationSchema = z.object({
  /** The event it is about. */
  seq: z.int().check(z.positive()),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  /** One word to filter by, as in `mistake`; empty for none. */
  tag: z.string().check(z.maxLength(64)),
  note: z.string().check(z.maxLength(noteLimit)),
});

export type Annotation = z.infer<typeof annotationSchema>;

/**
 * The labels that a file holds, the newest of each event alone; one without tag and note takes the label
 * away. A line that is none (half written, edited by hand) is passed over.
 */
export function readAnnotations(text: string): readonly Annotation[] {
  const newest = new Map<number, Annotation>();
  for (const line of text.split("\n")) {
    const annotation = readLine(line);
    if (annotation !== undefined) newest.set(annotation.seq, annotation);
  }
  return [...newest.values()]
    .filter(({ tag, note }) => tag !== "" || note !== "")
    .sort((left, right) => left.seq - right.seq);
}

function readLine(line: string): Annotation | undefined {
  try {
    return annotationSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
