// every neuron of a dense layer for every sample: weights are stored a row for each neuron
__global__ void linear_forward(float* activations, const float* samples, const float* weights, const float* offsets,
                               int count, int inputs, int neurons) {
    int sample = blockIdx.x * blockDim.x + threadIdx.x;
    int neuron = blockIdx.y * blockDim.y + threadIdx.y;
    if (sample < count && neuron < neurons) {
        float z = offsets[neuron];
        const float* w = weights + neuron * inputs;
        const float* s = samples + sample * inputs;
        for (int i = 0; i < inputs; i++) {
            z += w[i] * s[i];
        }
        activations[sample * neurons + neuron] = z;
    }
}
void dense(float* activations, const float* samples, const float* weights, const float* offsets, int count, int inputs, int neurons) {
    dim3 threads(16, 16);
    dim3 blocks((count + 15) / 16, (neurons + 15) / 16);
    linear_forward<<<blocks, threads>>>(activations, samples, weights, offsets, count, inputs, neurons);
}
