import * as z from "zod/mini";
import { notes } from "../base/shape";
import { projectShape } from "./build/project-file";
import { specFile } from "./spec-file/shape";

/** The text of the JSON Schema that editors check a spec file with while it is written. */
export function specJsonSchema(): string {
  return jsonSchema(specFile);
}

/** The same for kernelwright.json. */
export function projectJsonSchema(): string {
  return jsonSchema(projectShape);
}

function jsonSchema(shape: z.ZodMiniType): string {
  const schema = z.toJSONSchema(shape, {
    target: "draft-7",
    io: "input",
    metadata: notes,
    override: ({ jsonSchema: part }) => {
      // The safe integers are no limit that a reader should see.
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
    },
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
