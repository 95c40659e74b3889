// Scales the weights of each layer by a number of its own: a launch for each layer.
__global__ void scaleLayer(float* w, float by, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) w[i] *= by;
}
void scaleLayers(float* weights, int layers, int perLayer) {
    for (int l = 0; l < layers; ++l) {
        float by = 1.0f / (1.0f + l);
        scaleLayer<<<(perLayer + 127) / 128, 128>>>(weights + l * perLayer, by, perLayer);
    }
}
