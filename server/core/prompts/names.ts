/**
 * Every prompt text there is: `NAME.md` in this folder. A text without a line here, or the reverse, fails a
 * test.
 */
export const promptNames = [
  "refine-system",
  "refine-task",
  "mend-task",
  "cost-model",
  "refine-no-tool",
  "refine-cut-off",
  "refine-repeated",
  "refine-hurry",
  "refine-resumed",
  "refine-anew",
  "refine-shortened",
  "search-round",
  "judge-system",
  "judge-task",
  "judge-note",
  "planner-system",
  "planner-task",
  "planner-note",
  "tester-system",
  "tester-task",
  "command-system",
  "command-task",
] as const;

export type PromptName = (typeof promptNames)[number];

export type PromptTexts = Readonly<Record<PromptName, string>>;
