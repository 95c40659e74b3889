import type { ModelMessage, ModelProvider, ModelReply, ModelRequest } from "../../../server/core/ports/model";
import { kernelFile } from "../../harness/scripted-evaluator";
import { replyOf } from "./reply";
import { type World, textOf } from "./world";

/** Candidates in a row without a gain after which the model gives up. */
const patience = 4;

/**
 * A model of fixed skill. It knows the rewrites of a world by name, and of each which term it lowers, rightly
 * in seven of ten cases. It remembers nothing but the conversation: what it is shown, it takes into account.
 */
export class SkilledModel implements ModelProvider {
  readonly name = "skilled";
  readonly model = "skilled-1";
  readonly limits = { outputTokens: 8192, contextTokens: 128_000, requestsAtOnce: 4 };
  private answers = 0;

  constructor(private readonly world: World) {}

  estimateTokens(): number {
    return 100;
  }

  estimateUsd(): number {
    return 0;
  }

  async complete({ messages }: ModelRequest): Promise<ModelReply> {
    await Promise.resolve();
    const next = this.next(readConversation(messages));
    const calls =
      next === undefined
        ? [{ name: "finish", given: { reason: "no rewrite is left that was not tried" } }]
        : [
            { name: "write_file", given: { path: kernelFile, text: textOf(this.world, next) } },
            { name: "submit_candidate", given: { hypothesis: `uses ${[...next].sort().join(" ")}.` } },
          ];
    this.answers += 1;
    return replyOf(this.model, this.answers, calls);
  }

  /** The next version: the ideas of a partner joined, else one more rewrite, first one for what binds. */
  private next({ base, binding, tried, partner, idle }: Known): readonly string[] | undefined {
    if (idle >= patience) return undefined;
    const isNew = (used: readonly string[]): boolean => !tried.has([...used].sort().join(" "));
    const joined = [...new Set([...base, ...(partner ?? [])])];
    if (partner !== undefined && isNew(joined)) return joined;
    const missing = this.world.rewrites.filter(({ name }) => !base.includes(name));
    const ranked = [
      ...missing.filter(({ believed }) => believed === binding),
      ...missing.filter(({ believed }) => believed !== binding),
    ];
    return ranked.map(({ name }) => [...base, name]).find(isNew);
  }
}

interface Known {
  /** The rewrites of the cheapest version of the conversation. */
  readonly base: readonly string[];
  readonly binding: string;
  /** Every set of rewrites that the conversation names. */
  readonly tried: ReadonlySet<string>;
  readonly partner?: readonly string[];
  /** Candidates since the last gain. */
  readonly idle: number;
}

/** A version of the made-up kernel, as its text says. */
interface Version {
  readonly uses: readonly string[];
  readonly bound: number;
}

/** A version that was submitted, with the words of its verdict. */
interface Submission extends Version {
  readonly verdict: string;
}

/** What the conversation says: nothing else is known to the model. */
function readConversation(messages: readonly ModelMessage[]): Known {
  const task = messages.find(({ role }) => role === "user")?.text ?? "";
  const submitted = submissions(messages);
  const tried = [...task.matchAll(/uses ([a-z ]*)/g)].map((match) => (match[1] ?? "").trim());
  const partner = /Another kind of version is [^:]*: uses ([a-z ]*)/.exec(task)?.[1];
  const earlier = earlierBest(task);
  let best: Version = earlier ?? versionIn(task);
  let binding = earlier?.binding ?? bindingIn(task) ?? "dram";
  let idle = 0;
  for (const { verdict, ...version } of submitted) {
    // What the model wrote down about the cost is a mark for the judge; it goes by the verdict alone.
    const isGain = verdict.includes("Correct") && version.bound < best.bound;
    idle = isGain ? 0 : idle + 1;
    if (!isGain) continue;
    best = version;
    binding = bindingIn(verdict) ?? binding;
  }
  return {
    base: best.uses,
    binding,
    tried: new Set([...tried, ...submitted.map(({ uses }) => [...uses].sort().join(" "))]),
    idle,
    ...(partner === undefined ? {} : { partner: wordsOf(partner) }),
  };
}

/** The last version that became the best in an earlier session, as the table of earlier sessions says. */
function earlierBest(task: string): (Version & { readonly binding: string }) | undefined {
  const rows = [
    ...task.matchAll(/\| p\d+\/c\d+ \| ([\d.]+) (ns|µs) \((\w+)\), became the best \| uses ([a-z ]*)/g),
  ];
  const [, number, unit, binding = "", uses] = rows.at(-1) ?? [];
  if (number === undefined) return undefined;
  return { uses: wordsOf(uses), bound: Number(number) * (unit === "ns" ? 1 : 1000), binding };
}

function versionIn(text: string): Version {
  return {
    uses: wordsOf(/\/\/ uses ([a-z ]*)/.exec(text)?.[1]),
    bound: Number(/\/\/ bound (\d+)/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY),
  };
}

function bindingIn(text: string): string | undefined {
  return /What binds: (?:\w+ → )?(\w+)/.exec(text)?.[1];
}

function submissions(messages: readonly ModelMessage[]): readonly Submission[] {
  let written = versionIn("");
  return messages.flatMap((message) => {
    if (message.role === "assistant") written = versionIn(writtenText(message));
    const isVerdict = message.role === "tool" && message.name === "submit_candidate";
    return isVerdict ? [{ ...written, verdict: message.text }] : [];
  });
}

function writtenText({ toolCalls }: Extract<ModelMessage, { role: "assistant" }>): string {
  return toolCalls.find(({ name }) => name === "write_file")?.rawArguments ?? "";
}

function wordsOf(text = ""): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}
