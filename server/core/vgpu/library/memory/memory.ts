import {
  type MemoryOpcode,
  type Wasm,
  get,
  getGlobal,
  i32,
  load,
  op,
  set,
  store,
  when,
} from "../../wasm/code";
import { forEachLane } from "../lanes";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";
import { quadLibrary } from "./quad";
import { scratch, scratchOf } from "./found-addresses";
import { translationLibrary } from "./translation";

/**
 * One element for each lane: all at once if packed and as wide as the register; else lane by lane, unrolled
 * if all lanes are active.
 */
function moved(parameters: readonly Wasm[], ways: { whole: Wasm | undefined; all: Wasm; one: Wasm }): Wasm {
  const [, base = [], element = [], mask = []] = parameters;
  return [
    ways.whole === undefined
      ? []
      : when(op("i32.and", op("i32.ne", base, i32(0)), op("i32.eqz", element)), [ways.whole, op("return")]),
    when(op("i32.eq", mask, i32(-1)), [ways.all, op("return")]),
    ways.one,
  ];
}

/**
 * gather(destination, packed base or 0, byte offset of the element, mask): loads one element for each lane,
 * widened to the register.
 */
function gather(bytes: number, opcode: MemoryOpcode, wide: boolean, keptBits = -1): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters }) => {
      const [destination = [], base = [], element = [], mask = []] = parameters;
      const { lane, rest } = wordLocals(builder, "lane", "rest");
      const width = wide ? 8 : 4;
      const storeCode: MemoryOpcode = wide ? "i64.store" : "i32.store";
      const copies = Array.from({ length: (32 * width) / 16 }, (_, at) =>
        store("v128.store", destination, load("v128.load", base, 16 * at), 16 * at),
      );
      const read = (address: Wasm): Wasm => {
        const value = load(opcode, op("i32.add", address, element));
        return keptBits === -1 ? value : op("i32.and", value, i32(keptBits));
      };
      const each = (address: Wasm, index: number): Wasm =>
        store(storeCode, destination, read(address), index * width);
      const all = Array.from({ length: 32 }, (_, index) =>
        each(load("i32.load", getGlobal(globals.static), scratch + 4 * index), index),
      );
      const one = store(
        storeCode,
        op("i32.add", destination, op("i32.mul", get(lane), i32(width))),
        read(load("i32.load", scratchOf(get(lane)), scratch)),
      );
      return moved(parameters, {
        whole: bytes === width ? copies : undefined,
        all,
        one: [set(rest, mask), forEachLane(rest, lane, one)],
      });
    },
  };
}

/**
 * scatter(source, packed base or 0, byte offset of the element, mask): stores the low bytes of each active
 * lane. `stride`: bytes of a lane in the source.
 */
function scatter(bytes: number, opcode: MemoryOpcode, stride: 4 | 8): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
    build: ({ builder, parameters }) => {
      const [source = [], base = [], element = [], mask = []] = parameters;
      const { lane, rest } = wordLocals(builder, "lane", "rest");
      const width = stride;
      const loadCode: MemoryOpcode = bytes === 8 ? "i64.load" : "i32.load";
      const copies = Array.from({ length: (32 * width) / 16 }, (_, at) =>
        store("v128.store", base, load("v128.load", source, 16 * at), 16 * at),
      );
      const one = store(
        opcode,
        op("i32.add", load("i32.load", scratchOf(get(lane)), scratch), element),
        load(loadCode, op("i32.add", source, op("i32.mul", get(lane), i32(width)))),
      );
      const all = Array.from({ length: 32 }, (_, index) =>
        store(
          opcode,
          op("i32.add", load("i32.load", getGlobal(globals.static), scratch + 4 * index), element),
          load(loadCode, source, index * width),
        ),
      );
      return moved(parameters, {
        whole: bytes === width ? copies : undefined,
        all,
        one: [set(rest, mask), forEachLane(rest, lane, one)],
      });
    },
  };
}

export const memoryLibrary: LibraryTable = {
  ...translationLibrary,
  ...quadLibrary,
  gather_u8: gather(1, "i32.load8_u", false),
  gather_s8: gather(1, "i32.load8_s", false),
  gather_s8_16: gather(1, "i32.load8_s", false, 0xffff),
  gather_u16: gather(2, "i32.load16_u", false),
  gather_s16: gather(2, "i32.load16_s", false),
  gather_32: gather(4, "i32.load", false),
  gather_64: gather(8, "i64.load", true),
  gather_u8_64: gather(1, "i64.load8_u", true),
  gather_s8_64: gather(1, "i64.load8_s", true),
  gather_u16_64: gather(2, "i64.load16_u", true),
  gather_s16_64: gather(2, "i64.load16_s", true),
  gather_u32_64: gather(4, "i64.load32_u", true),
  gather_s32_64: gather(4, "i64.load32_s", true),
  scatter_8: scatter(1, "i32.store8", 4),
  scatter_16: scatter(2, "i32.store16", 4),
  scatter_32: scatter(4, "i32.store", 4),
  scatter_64: scatter(8, "i64.store", 8),
  scatter_8_64: scatter(1, "i32.store8", 8),
  scatter_16_64: scatter(2, "i32.store16", 8),
  scatter_32_64: scatter(4, "i32.store", 8),
};
