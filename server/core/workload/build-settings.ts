/**
 * What a source is compiled with besides its own text: include folders, macros, the language standard and
 * other options for nvcc. A plain value, found by host/services/build-service.ts, which travels with a task.
 */
export interface BuildSettings {
  /** In the order in which the compiler searches them. The top of the workspace is always searched last. */
  readonly includeFolders: readonly IncludeFolder[];
  readonly defines: readonly Define[];
  readonly standard?: LanguageStandard;
  readonly flags: readonly CompilerFlag[];
  /** Instances of the file's kernel templates that other files make, or that the user names. */
  readonly instances: readonly KernelInstance[];
  /** Sources that define what the file only declares for the device; none when left out. */
  readonly bodies?: readonly DeviceBody[];
  /** What was found and is not used, one sentence each, with its place. */
  readonly notes: readonly string[];
}

/**
 * `user`: stated on the command line, in a setting or in kernelwright.json. `recorded`: in the record of a
 * build (compile_commands.json). `inferred`: read from build files without running them, or the one place
 * where an included file lies.
 */
export type BuildOrigin = "user" | "recorded" | "inferred";

/** Where a fact was read: `--nvcc-flag`, `kernelwright.json`, `CMakeLists.txt:12`. */
export interface Sourced {
  readonly origin: BuildOrigin;
  readonly where: string;
}

export interface IncludeFolder extends Sourced {
  /** POSIX: relative to the top of the workspace (`` is the top), or absolute when it lies elsewhere. */
  readonly folder: string;
}

export interface Define extends Sourced {
  /** `N`, or `MAX(a,b)` for a macro with arguments. */
  readonly name: string;
  /** Left out: 1, as compilers have it; false: the macro stays undefined, whatever other places say. */
  readonly value?: string | false;
}

export interface LanguageStandard extends Sourced {
  /** `c++17` */
  readonly value: string;
}

/** One option with its value: `-maxrregcount=32`. No option here changes what is made of a source. */
export interface CompilerFlag extends Sourced {
  readonly word: string;
}

/** One instance of a kernel template: `nn::scale<float, 4>`. */
export interface KernelInstance extends Sourced {
  readonly text: string;
}

/** A source that is compiled behind another one, whose kernels call what it defines. */
export interface DeviceBody extends Sourced {
  readonly file: string;
  /** The file that is compiled. */
  readonly of: string;
}

export const noBuildSettings: BuildSettings = {
  includeFolders: [],
  defines: [],
  flags: [],
  instances: [],
  notes: [],
};

/**
 * Letters that a shell leaves as they are: nvcc hands its words to one, so that any other may never reach it.
 */
const harmlessWord = /^[\w./,=+:@%~ ()-]*$/u;

export function isHarmlessWord(word: string): boolean {
  return harmlessWord.test(word);
}

/**
 * The words for nvcc, each of them harmless to a shell. `place` gives the folder's name as the compiler shall
 * see it. Macros whose values are not harmless stand in `buildPrelude`.
 */
export function nvccWords(settings: BuildSettings, place: (folder: string) => string): readonly string[] {
  const { includeFolders, standard, flags } = settings;
  const defines = defined(settings);
  return [
    ...(standard === undefined ? [] : [`-std=${standard.value}`]),
    ...flags.map(({ word }) => word),
    ...defines
      .filter(isPlain)
      .map(({ name, value }) => (value === undefined ? `-D${name}` : `-D${name}=${value}`)),
    ...settings.defines
      .filter(({ name, value }) => value === false && isPlain({ name }))
      .map(({ name }) => `-U${name}`),
    ...includeFolders.map(({ folder }) => `-I${place(folder)}`),
  ];
}

/** Text of a header for `-include`: the macros that `nvccWords` leaves out. Empty when there are none. */
export function buildPrelude(settings: BuildSettings): string {
  return defined(settings)
    .filter((define) => !isPlain(define))
    .map(({ name, value = "1" }) => `#define ${name} ${value}\n`)
    .join("");
}

interface Defined {
  readonly name: string;
  readonly value?: string;
}

function defined({ defines }: BuildSettings): readonly Defined[] {
  return defines.flatMap(({ name, value }) => {
    if (value === false) return [];
    return [value === undefined ? { name } : { name, value }];
  });
}

function isPlain({ name, value = "1" }: Defined): boolean {
  return /^\w+$/.test(name) && /^[\w.+-]*$/.test(value);
}

/** What one place says, to be joined with what others say. */
export type BuildPart = Partial<BuildSettings>;

/** Joins parts, the first of which counts where they differ. */
export function joinBuildParts(parts: readonly BuildPart[]): BuildSettings {
  const standard = parts.find((part) => part.standard !== undefined)?.standard;
  return {
    includeFolders: firstOfEach(
      parts.flatMap((part) => part.includeFolders ?? []),
      ({ folder }) => folder,
    ),
    defines: firstOfEach(
      parts.flatMap((part) => part.defines ?? []),
      ({ name }) => name.replace(/\(.*/s, ""),
    ),
    ...(standard === undefined ? {} : { standard }),
    flags: firstOfEach(
      parts.flatMap((part) => part.flags ?? []),
      ({ word }) => (/^-(?:Xcompiler|diag)/.test(word) ? word : word.replace(/=.*/s, "")),
    ),
    instances: firstOfEach(
      parts.flatMap((part) => part.instances ?? []),
      ({ text }) => text.replace(/\s+/g, ""),
    ),
    ...joinedBodies(parts),
    notes: [...new Set(parts.flatMap((part) => part.notes ?? []))],
  };
}

function joinedBodies(parts: readonly BuildPart[]): Pick<BuildSettings, "bodies"> {
  const bodies = firstOfEach(
    parts.flatMap((part) => part.bodies ?? []),
    ({ file, of }) => `${file}\n${of}`,
  );
  return bodies.length === 0 ? {} : { bodies };
}

/**
 * The sources with those behind the compiled one that define what it only declares, as far as they are there.
 */
export function withBodies(
  files: Readonly<Record<string, string>>,
  main: string,
  { bodies = [] }: BuildSettings,
): Readonly<Record<string, string>> {
  const own = bodies.filter(({ file, of }) => of === main && files[file] !== undefined);
  if (own.length === 0) return files;
  const includes = own.map(({ file }) => `#include "${file}"\n`).join("");
  return { ...files, [main]: `${files[main] ?? ""}\n${includes}` };
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
