import {
  type CompileOptions,
  DeviceMemory,
  type Image,
  type Sampler,
} from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, bytesOf, compileText, integer, readCase, run } from "../support";

/** An image in a case: its texels as hexadecimal bytes, without an address. */
type ImageCase = Omit<Image, "address"> & { readonly data: string };

interface TextureCase {
  readonly instruction: string;
  /** Operands behind the coordinates. */
  readonly more: string;
  readonly image: ImageCase;
  /** Null for a surface. */
  readonly sampler: Sampler | null;
  /** A column of words for each coordinate, one word a lane. */
  readonly coordinates: readonly (readonly number[])[];
  readonly results: readonly (readonly number[])[];
}

interface SurfaceCase {
  /** Without the opcode. */
  readonly instruction: string;
  readonly image: ImageCase;
  readonly coordinates: readonly (readonly number[])[];
  /** What each lane reads; and the image after each lane has stored bytes of its own. */
  readonly loads: readonly string[];
  readonly after: string;
}

/** Cases that `test/cases/vgpu/textures/generate.py` has written. */
export const { textures, surfaces } = JSON.parse(readCase("textures", "expected.json")) as {
  readonly textures: readonly TextureCase[];
  readonly surfaces: readonly SurfaceCase[];
};

const lanes = 32;

/** Loads words of the lane from the column at each of the first parameters into %r0 and so on. */
function loads(columns: number): string {
  return [
    `mov.u32 %r31, %tid.x;`,
    ...Array.from(
      { length: columns },
      (_, index) =>
        `ld.param.u64 %rd0, [p${index + 2}]; mad.wide.u32 %rd1, %r31, 4, %rd0; ld.global.b32 %r${index}, [%rd1];`,
    ),
  ].join("\n");
}

/** Coordinates in the braces; what three dimensions need besides is repeated. */
function place(instruction: string, columns: number): string {
  if (columns === 0) return "[%rd9]";
  const names = Array.from({ length: columns === 3 ? 4 : columns }, (_, index) => `%r${Math.min(index, 2)}`);
  return `[%rd9, {${names.join(", ")}}]`;
}

/** PTX of a texture case. Parameters: the object, the results, the columns. */
export function textureText({ instruction, more, coordinates }: TextureCase): string {
  const target = /^(txq|suq)/.test(instruction) ? "%r10" : "{%r10, %r11, %r12, %r13}";
  return snippet(
    ["u64", "u64", ...coordinates.map(() => "u64")],
    `
    ${loads(coordinates.length)}
    ld.param.u64 %rd9, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd3, %r31, 16, %rd2;
    mov.f32 %f30, 0f3F000000; mov.f32 %f31, 0f40000000; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0;
    mov.u32 %r13, 0;
    ${instruction} ${target}, ${place(instruction, coordinates.length)}${more};
    st.global.v4.b32 [%rd3], {%r10, %r11, %r12, %r13};`,
  );
}

/** Registers of a surface's elements. */
function elements({ instruction }: SurfaceCase): {
  readonly bytes: number;
  readonly list: string;
  readonly parts: readonly string[];
  readonly type: string;
  readonly count: number;
} {
  const count = Number(/\.v(\d)/.exec(instruction)?.[1] ?? 1);
  const type = /\.(b\d+)\./.exec(instruction)?.[1] ?? "b32";
  const bits = Number(type.slice(1));
  const prefixes: Readonly<Record<number, string>> = { 64: "%rd1", 32: "%r1" };
  const prefix = prefixes[bits] ?? "%h";
  const parts = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  return { bytes: (count * bits) / 8, list: `{${parts.join(", ")}}`, parts, type, count };
}

/** PTX of a surface case. Parameters: the object, what is read or stored, the columns. */
export function surfaceText(entry: SurfaceCase, opcode: "suld" | "sust"): string {
  const { bytes, list, parts, type, count } = elements(entry);
  const where = place(entry.instruction, entry.coordinates.length);
  const memory = `.global${count > 1 ? `.v${count}` : ""}.${type}`;
  const plain = count > 1 ? list : (parts[0] ?? "");
  return snippet(
    ["u64", "u64", ...entry.coordinates.map(() => "u64")],
    `
    ${loads(entry.coordinates.length)}
    ld.param.u64 %rd9, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd3, %r31, ${bytes}, %rd2;
    ${opcode === "suld" ? `suld.${entry.instruction} ${list}, ${where}; st${memory} [%rd3], ${plain};` : `ld${memory} ${plain}, [%rd3]; sust.${entry.instruction} ${where}, ${list};`}`,
  );
}

/** A device memory with an object over an image of a case. */
export function withImage(
  { data, ...image }: ImageCase,
  sampler: Sampler | null,
): { readonly memory: DeviceMemory; readonly at: bigint; readonly object: number } {
  const memory = new DeviceMemory();
  const at = memory.allocate("array", data.length / 2, { initial: Buffer.from(data, "hex") });
  return {
    memory,
    at,
    object: memory.images.create({ image: { ...image, address: at }, ...(sampler ? { sampler } : {}) }),
  };
}

function start(
  text: string,
  { memory, object }: ReturnType<typeof withImage>,
  rest: {
    readonly buffer: bigint;
    readonly columns: readonly (readonly number[])[];
    readonly options: Partial<CompileOptions>;
  },
): void {
  const columns = rest.columns.map((column, index) =>
    address(memory.allocate(`column ${index}`, 4 * lanes, { initial: bytesOf(Uint32Array.from(column)) })),
  );
  run(compileText(text, "kernel", rest.options), {
    grid: [1, 1, 1],
    block: [lanes, 1, 1],
    arguments: [integer(object), address(rest.buffer), ...columns],
    memory,
  });
}

/** Runs a texture case; gives the four results of each lane. */
export function runTexture(
  entry: TextureCase,
  options: Partial<CompileOptions> = {},
): readonly (readonly number[])[] {
  const made = withImage(entry.image, entry.sampler);
  const buffer = made.memory.allocate("results", 16 * lanes);
  start(textureText(entry), made, { buffer, columns: entry.coordinates, options });
  const words = new Uint32Array(made.memory.read(buffer).buffer);
  return Array.from({ length: lanes }, (_, lane) => [...words.subarray(4 * lane, 4 * lane + 4)]);
}

/** Runs a surface case both ways. */
export function runSurface(
  entry: SurfaceCase,
  options: Partial<CompileOptions> = {},
): Pick<SurfaceCase, "loads" | "after"> {
  const { bytes } = elements(entry);
  const read = withImage(entry.image, null);
  const results = read.memory.allocate("results", bytes * lanes);
  start(surfaceText(entry, "suld"), read, { buffer: results, columns: entry.coordinates, options });
  const loaded = Buffer.from(read.memory.read(results)).toString("hex");
  const written = withImage(entry.image, null);
  const values = Uint8Array.from(
    { length: bytes * lanes },
    (_, index) => Math.floor(index / bytes) * 16 + (index % bytes) + 1,
  );
  start(surfaceText(entry, "sust"), written, {
    buffer: written.memory.allocate("values", values.length, { initial: values }),
    columns: entry.coordinates,
    options,
  });
  return {
    loads: Array.from({ length: lanes }, (_, lane) => loaded.slice(2 * bytes * lane, 2 * bytes * (lane + 1))),
    after: Buffer.from(written.memory.read(written.at)).toString("hex"),
  };
}
