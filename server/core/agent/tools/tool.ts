import type { JsonObject } from "../../base/json";
import type { FileReader } from "../../ports/files";
import type { Rulebook } from "../rulebook/ranking";
import type { Scratch } from "../scratch";
import type { SharedContext, StrategyContext } from "../strategy";

interface ToolParameter {
  readonly type: "string" | "integer";
  readonly description: string;
}

/** What the log and the model are told of any tool. */
interface AnyDefinition {
  readonly name: string;
  readonly description: string;
  readonly effect: "read" | "write" | "exec";
}

/** What the model is told about a tool of ours; one JSON file for each, beside its code. */
export interface ToolDefinition extends AnyDefinition {
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, ToolParameter>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
}

export type ToolArguments = Readonly<Record<string, string | number>>;

/** All that a tool can reach. */
export interface Workbench {
  readonly context: SharedContext;
  /** The repository, read only. */
  readonly files: FileReader;
  readonly scratch: Scratch;
  readonly rulebook: Rulebook;
  /** The full output of an earlier call; undefined when there is no such call. */
  readonly recall: (call: string) => Promise<string | undefined>;
}

/** What tools for kernels alone can reach. */
export interface KernelWorkbench extends Workbench {
  readonly context: StrategyContext;
}

export type ToolAnswer =
  | { readonly kind: "text"; readonly text: string }
  /** The call could not be done; the text says what to do instead. */
  | { readonly kind: "error"; readonly text: string }
  /** Hands the scratch copy to the pipeline; the answer follows with the verdict. */
  | { readonly kind: "submit"; readonly hypothesis: string }
  | { readonly kind: "finish"; readonly reason: string };

/** One thing that the model can do. Arguments have been checked against the definition. */
export interface Tool {
  readonly definition: ToolDefinition;
  run(given: ToolArguments, workbench: Workbench): Promise<ToolAnswer>;
}

/** A tool of a server that the user named, which checks the arguments by itself. */
export interface ForeignTool {
  readonly definition: AnyDefinition & { readonly parameters: JsonObject };
  runUnchecked(given: JsonObject): Promise<ToolAnswer>;
}

export type AnyTool = Tool | ForeignTool;

/** A definition from its JSON file, with the types that the JSON import widened. */
export function toolDefinition(
  json: Omit<ToolDefinition, "effect" | "parameters"> & {
    readonly effect: string;
    readonly parameters: object;
  },
): ToolDefinition {
  return json as ToolDefinition;
}

/** A text argument; empty when it was left out. */
export function textOf(given: ToolArguments, name: string): string {
  const value = given[name];
  return typeof value === "string" ? value : "";
}

export function numberOf(given: ToolArguments, name: string): number | undefined {
  const value = given[name];
  return typeof value === "number" ? value : undefined;
}
