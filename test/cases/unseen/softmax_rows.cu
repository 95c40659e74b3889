// probabilities of every sample of a batch
__global__ void softmax_kernel(const float* scores, float* probs, int batch, int classes) {
    int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample < batch) {
        const float* s = scores + sample * classes;
        float* p = probs + sample * classes;
        float largest = s[0];
        for (int k = 1; k < classes; k++) {
            if (s[k] > largest) {
                largest = s[k];
            }
        }
        float denominator = 0.0f;
        for (int k = 0; k < classes; k++) {
            p[k] = expf(s[k] - largest);
            denominator += p[k];
        }
        for (int k = 0; k < classes; k++) {
            p[k] /= denominator;
        }
    }
}

void softmax(const float* scores, float* probs, int batch, int classes) {
    const int threads = 128;
    softmax_kernel<<<(batch + threads - 1) / threads, threads>>>(scores, probs, batch, classes);
}
