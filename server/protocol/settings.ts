/**
 * Settings of the extension as data, `kernelwright.` in front. The manifest's section is written from this
 * table (`npm run manifest`); a test compares the two.
 */

/** Who may set it: `machine` never comes from a workspace; `machine-overridable` only from a trusted one. */
type SettingScope = "machine" | "machine-overridable" | "window";

interface SettingEntry<Value> {
  readonly default: Value;
  readonly scope: SettingScope;
  /** Markdown; ends with a full stop. */
  readonly description: string;
}

/** A setting with the limits that the editor itself enforces. */
export interface TextSetting extends SettingEntry<string> {
  /**
   * The list of the catalogue that its values come from: the ids of strategies, or `ROLE=MODEL` for roles.
   */
  readonly choices?: "strategies" | "roles";
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
}

export interface NumberSetting extends SettingEntry<number> {
  readonly whole?: true;
  readonly minimum: number;
}

export type FlagSetting = SettingEntry<boolean>;

/** Patterns of paths, those of the user and those of the workspace together. */
export type ListSetting = SettingEntry<readonly string[]>;

const text = (entry: TextSetting): TextSetting => entry;
const number = (entry: NumberSetting): NumberSetting => entry;
const list = (entry: ListSetting): ListSetting => entry;
const flag = (entry: FlagSetting): FlagSetting => entry;

export const settingTable = {
  target: text({
    default: "vgpu:sm_80",
    scope: "machine-overridable",
    description:
      "What kernels are judged on: `vgpu:sm_80` (the virtual GPU, needs no hardware) `gpu:0` (a GPU of this machine, timed there), `ssh:HOST` (compiled on another machine) or `ssh:HOST/gpu:0` (a GPU there).",
    pattern:
      "^(vgpu(:sm_\\d{2,3}[a-z]?)?|gpu:\\d{1,3}(/sm_\\d{2,3}[a-z]?)?|ssh:[A-Za-z0-9_][A-Za-z0-9_.@:\\[\\]-]*(/gpu:\\d{1,3})?(/sm_\\d{2,3}[a-z]?)?)$",
    patternErrorMessage: "Write vgpu:sm_80, gpu:0, ssh:HOST, ssh:HOST/sm_90 or ssh:HOST/gpu:0.",
  }),
  strategy: text({
    default: "rulebook",
    scope: "window",
    description: "How candidates are found.",
    choices: "strategies",
  }),
  "model.endpoint": text({
    default: "",
    scope: "machine",
    description:
      "Address of an OpenAI-compatible endpoint, for example `https://api.openai.com/v1`, or `editor` for the models of VS Code itself, which need no key (*Kernelwright: Select Model* lists them, and those of servers on this machine). A key is set by the command *Kernelwright: Set Model Key*.",
  }),
  "model.name": text({
    default: "",
    scope: "machine-overridable",
    description: "Name of the model at the endpoint.",
  }),
  "model.options": text({
    default: "",
    scope: "machine-overridable",
    description:
      "How the model is asked, parted by spaces: `effort=high`, `temperature=0.6`, `output=32768` (tokens of one answer, reasoning included), `context=200000` (tokens of a conversation), `silence=30` (minutes without a word), `parallel=2` (questions that a search puts at the same time; four, and one to a server of this machine), `api=chat` or `api=responses` (the protocol; Responses at OpenAI, Chat Completions elsewhere). What is left out has defaults by the model's name.",
    pattern: "^\\s*((effort|temperature|output|context|silence|api)=[\\w.]+\\s*)*$",
    patternErrorMessage:
      "Write NAME=VALUE, parted by spaces: effort, temperature, output, context, silence, api.",
  }),
  "model.roles": text({
    default: "",
    scope: "machine-overridable",
    description:
      "Models of their own for roles beside that of the coder, at the same endpoint, parted by spaces; empty: one model does everything.",
    choices: "roles",
  }),
  "model.toolServers": text({
    default: "",
    scope: "machine",
    description:
      'Path of a file that names MCP servers, whose tools the model may call besides ours: `{"mcpServers": {"docs": {"command": …, "args": […]}}}`, as other tools have it. Empty: none.',
  }),
  "model.price": text({
    default: "",
    scope: "machine",
    description:
      "What the model costs: `INPUT,OUTPUT` in US dollars for a million tokens, or `free`. Empty: the list price, where it is known; a model without a price cannot be asked, since no budget in money could be kept.",
    pattern: "^\\s*(free|[0-9.]+\\s*,\\s*[0-9.]+)?\\s*$",
    patternErrorMessage: "Write INPUT,OUTPUT such as 2.5,15, or free.",
  }),
  "budget.usd": number({
    default: 1,
    scope: "window",
    description: "Most US dollars that one run may spend on a model; checked before each call.",
    minimum: 0,
  }),
  "budget.minutes": number({
    default: 10,
    scope: "window",
    description: "Most minutes that one run may take, without the time that a model thinks.",
    minimum: 1,
  }),
  "budget.candidates": number({
    default: 24,
    scope: "window",
    description: "Most candidates that one run may judge.",
    minimum: 1,
    whole: true,
  }),
  "budget.tokens": number({
    default: 0,
    scope: "window",
    description:
      "Most tokens that models may read and write in one run, those of hidden reasoning and those read from a cache among them; checked before each call. 0: as many as it takes.",
    minimum: 0,
    whole: true,
  }),
  "budget.gpuMinutes": number({
    default: 0,
    scope: "window",
    description:
      "Most minutes for which one run may hold a real GPU; checked before each candidate. The virtual GPU takes none. 0: as many as it takes.",
    minimum: 0,
  }),
  python: text({
    default: "",
    scope: "machine",
    description: "Path of a Python with torch and triton. Empty: found by itself.",
  }),
  gpuPython: text({
    default: "",
    scope: "machine",
    description:
      "Path of a Python with triton and torch for CUDA, which calls Triton kernels on targets `gpu:N`. Empty: the one of the active environment, the worker's own, or `python3`.",
  }),
  nvcc: text({ default: "", scope: "machine", description: "Path of nvcc. Empty: found by itself." }),
  sessionsFolder: text({
    default: "",
    scope: "machine",
    description: "Folder in which sessions are kept. Empty: the user's data folder.",
  }),
  exclude: list({
    default: [],
    scope: "window",
    description:
      "Files that are never read for a model, a log or an export, besides those that may hold keys (`.env`, `.git`, `*.pem`, `.netrc` …). `*` stands for any letters but `/`, `**` for any letters; a pattern without `/` is for that name in every folder. What the user and what the workspace name is added up.",
  }),
  repeatLimit: number({
    default: 0,
    scope: "window",
    description:
      "Equal launches of a loop that a program is run with on the virtual GPU; 0: all. Further ones that change memory are skipped, and then nothing that the program says of its results counts. A program's terminal tells of loops that take long.",
    minimum: 0,
    whole: true,
  }),
  profileOnSave: flag({
    default: false,
    scope: "window",
    description:
      "Profile a kernel again when its file is saved, once it was profiled or checked in this window. Until then its facts are dimmed after an edit.",
  }),
  lenses: flag({
    default: true,
    scope: "window",
    description:
      "Show lenses over kernels and programs: what can be done with them, and what the compiler says of a kernel. The changes of a proposal under review keep theirs. Without lenses the commands of the palette take the kernel at the cursor.",
  }),
  inlineFacts: flag({
    default: true,
    scope: "window",
    description:
      "Write at the ends of lines what was counted of them. Without that the bars beside the line numbers and the hovers tell it.",
  }),
  backgroundCompile: flag({
    default: true,
    scope: "window",
    description:
      "Compile a file when it is opened, saved or has rested, for the compiler's messages and the registers of its kernels. Without that only Check, Profile and Optimize compile.",
  }),
  languageHelp: flag({
    default: true,
    scope: "window",
    description:
      "Explain names of CUDA and Triton (hover, completion, parameters of calls and launches), and find and rename kernels over all files of the workspace.",
  }),
  lint: flag({
    default: true,
    scope: "window",
    description:
      "Show classic mistakes in kernels and launches while you edit: missing barriers and masks, divergent barriers, double constants, products that wrap (`docs/lints.md`).",
  }),
  allowUnwalledCandidates: flag({
    default: false,
    scope: "machine",
    description:
      "Run candidates on machines where they cannot be walled off (containers without user namespaces and without Landlock, systems other than Linux). A candidate's Python can then read and change your files, keys among them. *Kernelwright: Doctor* says whether this machine has walls.",
  }),
};

type SettingTable = typeof settingTable;

/** The values of all settings. */
export type Settings = { readonly [Name in keyof SettingTable]: SettingTable[Name]["default"] };

export const defaultSettings = Object.fromEntries(
  Object.entries(settingTable).map(([name, setting]) => [name, setting.default]),
) as Settings;
