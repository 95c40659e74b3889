import { copyFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defaultTarget } from "../../../server/core/timing/target";
import { composeServices } from "../../../server/host/compose";
import { projectRoot } from "../../architecture/project";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-calls-")));
const services = await composeServices({
  workspaceFolder: folder,
  sessionsFolder: join(folder, "sessions"),
  environment: process.env,
});
afterAll(async () => {
  await services.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The call, the inputs, the outputs and the smallest shape that are inferred of a kernel. */
async function inferred(file: string, kernel: string): Promise<object> {
  copyFileSync(join(projectRoot, "test", "cases", "found-calls", file), join(folder, file));
  const { spec } = await services.specs.infer(
    { file, kernel },
    { target: defaultTarget, signal: new AbortController().signal },
  );
  return {
    call: spec.run.kind === "entry" ? spec.run.entry.call : spec.run.kind,
    inputs: Object.fromEntries(
      Object.entries(spec.inputs).map(([name, { dtype, shape, distribution }]) => [
        name,
        [dtype, shape.join(" x "), distribution ?? "normal"],
      ]),
    ),
    outputs: Object.keys(spec.outputs),
    sizes: spec.shapes.at(-1)?.sizes,
  };
}

test("buffers of a module that hold zeros are filled with data, its other buffers are not", async () => {
  expect(await inferred("dense.py", "dense_kernel")).toMatchInlineSnapshot(`
    {
      "call": "dense.py::with_parameters(Dense(x_1, outputs), weight=weight, scales=scales)(x)",
      "inputs": {
        "scales": [
          "float32",
          "outputs",
          "normal",
        ],
        "weight": [
          "int8",
          "outputs x x_1",
          {
            "high": 127,
            "kind": "range",
            "low": -128,
          },
        ],
        "x": [
          "float32",
          "rows x x_1",
          "normal",
        ],
      },
      "outputs": [
        "out",
      ],
      "sizes": {
        "outputs": 8,
        "rows": 32,
        "x_1": 64,
      },
    }
  `);
});

test("a call of permuted tensors is made with other sizes", async () => {
  expect(await inferred("blend.py", "blend_kernel")).toMatchInlineSnapshot(`
    {
      "call": "blend.py::blend(x.permute(1, 0, 2), weights)",
      "inputs": {
        "weights": [
          "float32",
          "heads",
          "normal",
        ],
        "x": [
          "float32",
          "heads x rows x width",
          "normal",
        ],
      },
      "outputs": [
        "out",
      ],
      "sizes": {
        "heads": 1,
        "rows": 3,
        "width": 20,
      },
    }
  `);
});

test("a kernel for what is longer than a number of the file is reached by a longer tensor", async () => {
  expect(await inferred("crest.py", "crest_kernel")).toMatchInlineSnapshot(`
    {
      "call": "crest.py::kernel_arguments(crest(x), 'crest_kernel', 'out', computed=(0,))",
      "inputs": {
        "x": [
          "float32",
          "rows x length",
          "normal",
        ],
      },
      "outputs": [
        "out",
        "result",
      ],
      "sizes": {
        "length": 16384,
        "rows": 32,
      },
    }
  `);
});

test("a module that is made of a tensor is made of an input", async () => {
  expect(await inferred("packed.py", "packed_kernel")).toMatchInlineSnapshot(`
    {
      "call": "packed.py::Packed(weight)(x)",
      "inputs": {
        "weight": [
          "float32",
          "weight_0 x columns",
          "normal",
        ],
        "x": [
          "float32",
          "rows x columns",
          "normal",
        ],
      },
      "outputs": [
        "y",
      ],
      "sizes": {
        "columns": 64,
        "rows": 8,
        "weight_0": 32,
      },
    }
  `);
});

test("of kernels that hand on to each other the function that launches all of them is called", async () => {
  expect(await inferred("tone.py", "gain_kernel")).toMatchInlineSnapshot(`
    {
      "call": "tone.py::tone(picture)",
      "inputs": {
        "picture": [
          "float32",
          "rows x columns",
          "normal",
        ],
      },
      "outputs": [
        "result",
      ],
      "sizes": {
        "columns": 64,
        "rows": 32,
      },
    }
  `);
});

test("what a method asks of an attribute it asks of what its object was made with", async () => {
  expect(await inferred("momentum.py", "momentum_kernel")).toMatchInlineSnapshot(`
    {
      "call": "momentum.py::Momentum(weights).step(slopes)",
      "inputs": {
        "slopes": [
          "float32",
          "weights_0",
          "normal",
        ],
        "weights": [
          "float32",
          "weights_0",
          "normal",
        ],
      },
      "outputs": [
        "weights",
      ],
      "sizes": {
        "weights_0": 32,
      },
    }
  `);
});

test("a module is made with what its constructor takes by default, though its name is that of an axis", async () => {
  expect(await inferred("channel_gain.py", "channel_gain_kernel")).toMatchInlineSnapshot(`
    {
      "call": "channel_gain.py::with_parameters(ChannelGain(), gain=gain)(x)",
      "inputs": {
        "gain": [
          "float32",
          "192",
          "normal",
        ],
        "x": [
          "float32",
          "rows x dim",
          "normal",
        ],
      },
      "outputs": [
        "out",
      ],
      "sizes": {
        "dim": 64,
        "rows": 32,
      },
    }
  `);
});

test("a size that follows from a number by a condition of the host code is made of that number", async () => {
  expect(await inferred("packed_bits.py", "unpack_bits_kernel")).toMatchInlineSnapshot(`
    {
      "call": "packed_bits.py::unpack_bits(words, bits)",
      "inputs": {
        "words": [
          "int32",
          "rows x (bits + 31) // 32",
          {
            "high": "rows - 1",
            "kind": "range",
            "low": 0,
          },
        ],
      },
      "outputs": [
        "out",
      ],
      "sizes": {
        "bits": 64,
        "rows": 32,
      },
    }
  `);
});

test("a weight is as long as what the kernel writes of its gradient", async () => {
  expect(await inferred("gained.py", "gain_gradient_kernel")).toMatchInlineSnapshot(`
    {
      "call": "gained.py::results(gradients(lambda x, gain: Gained.apply(x, gain), (x, gain), gradient), 1)",
      "inputs": {
        "gain": [
          "float32",
          "columns",
          "normal",
        ],
        "gradient": [
          "float32",
          "rows x columns",
          "normal",
        ],
        "x": [
          "float32",
          "rows x columns",
          "normal",
        ],
      },
      "outputs": [
        "gain_gradient",
      ],
      "sizes": {
        "columns": 64,
        "rows": 32,
      },
    }
  `);
});

test("lengths of sequences are up to all that the blocks of a row of the table hold", async () => {
  expect(await inferred("paged_sums.py", "paged_sum_kernel")).toMatchInlineSnapshot(`
    {
      "call": "paged_sums.py::paged_sums(cache, block_tables, context_lens)",
      "inputs": {
        "block_tables": [
          "int64",
          "sequences x max_blocks_per_seq",
          {
            "high": "num_blocks - 1",
            "kind": "range",
            "low": 0,
          },
        ],
        "cache": [
          "float32",
          "num_blocks x block_size x width",
          "normal",
        ],
        "context_lens": [
          "int64",
          "sequences",
          {
            "high": "max_blocks_per_seq * block_size - 1",
            "kind": "range",
            "low": 0,
          },
        ],
      },
      "outputs": [
        "out",
      ],
      "sizes": {
        "block_size": 128,
        "max_blocks_per_seq": 4,
        "num_blocks": 64,
        "sequences": 32,
        "width": 16,
      },
    }
  `);
});
