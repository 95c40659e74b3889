import { readdirSync } from "node:fs";

const program = `#include <cstdio>
#include <cstdlib>

// Energy of each signal: one thread walks along one signal.
__global__ void signal_energy(const float *signals, float *energy, int count, int samples)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;
    float sum = 0.0f;
    for (int i = 0; i < samples; ++i) {
        float v = signals[s * samples + i];
        sum += v * v;
    }
    energy[s] = sum / samples;
}

void compute_energy(const float *signals, float *energy, int count, int samples)
{
    signal_energy<<<(count + 127) / 128, 128>>>(signals, energy, count, samples);
}

int main()
{
    const int count = 512, samples = 256;
    float *signals, *energy;
    cudaMalloc(&signals, count * samples * sizeof(float));
    cudaMalloc(&energy, count * sizeof(float));
    float *host = (float *)malloc(count * samples * sizeof(float));
    for (int i = 0; i < count * samples; ++i) host[i] = (i % 17) * 0.25f;
    cudaMemcpy(signals, host, count * samples * sizeof(float), cudaMemcpyHostToDevice);
    compute_energy(signals, energy, count, samples);
    cudaMemcpy(host, energy, count * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first %.4f last %.4f\\n", host[0], host[count - 1]);
    free(host);
    cudaFree(signals);
    cudaFree(energy);
    return 0;
}
`;

const bare = `// Turns an image by a quarter to the right.
__global__ void rotate_right(const float* image, float* turned, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    turned[x * height + (height - 1 - y)] = image[y * width + x];
  }
}
`;

const triton = `import triton
import triton.language as tl


# Mish, by blocks of 64 elements.
@triton.jit
def mish_kernel(x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = offs < count
    x = tl.load(x_ptr + offs, mask=m)
    soft = tl.log(1.0 + tl.exp(x))
    t = 1.0 - 2.0 / (tl.exp(2.0 * soft) + 1.0)
    tl.store(y_ptr + offs, x * t, mask=m)


def mish(x, y):
    mish_kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
    return y
`;

/** Two kernels whose changes lie apart in one file. */
export const twoKernels = {
  file: "src/relief.cu",
  text: `#include <cstdio>

struct Sun {
  float east, north;
};

__global__ void slopes(const float *height, float *slope, int columns, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns - 1 || row >= rows) return;
    slope[row * columns + column] = height[row * columns + column + 1] - height[row * columns + column];
}

__global__ void shade(const float *slope, float *light, int columns, int rows, Sun sun)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    light[row * columns + column] = sun.east * slope[row * columns + column] + sun.north;
}

int main()
{
    const int columns = 256, rows = 192;
    float *height, *slope, *light;
    cudaMallocManaged(&height, columns * rows * sizeof(float));
    cudaMallocManaged(&slope, columns * rows * sizeof(float));
    cudaMallocManaged(&light, columns * rows * sizeof(float));
    for (int i = 0; i < columns * rows; ++i) height[i] = (i * 7 % 101) * 0.5f, slope[i] = 0.0f;
    dim3 block(16, 16), grid(rows / 16, columns / 16);
    slopes<<<grid, block>>>(height, slope, columns, rows);
    shade<<<grid, block>>>(slope, light, columns, rows, Sun{0.8f, 0.1f});
    cudaDeviceSynchronize();
    printf("light %.3f\\n", light[columns + 1]);
    return 0;
}
`,
  /** Names in the order of the file. */
  kernels: ["slopes", "shade"],
} as const;

/**
 * Kernels as a folder may hold them: with nothing around it, with its launcher and program, in Triton.
 * `stopsEarly`: the user takes the first better version that is offered.
 */
export const ownKernels = [
  {
    what: "a kernel with nothing around it",
    file: "kernels/rotate.cu",
    kernel: "rotate_right",
    picture: "40-bare",
    stopsEarly: false,
    text: bare,
  },
  {
    what: "a kernel with its launcher and its program",
    file: "src/energy.cu",
    kernel: "signal_energy",
    picture: "41-program",
    stopsEarly: true,
    text: program,
  },
  {
    what: "a Triton kernel with its wrapper",
    file: "ops/mish.py",
    kernel: "mish_kernel",
    picture: "42-triton",
    stopsEarly: true,
    text: triton,
  },
] as const;

/** Paths of all files of a folder, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
