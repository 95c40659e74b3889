__global__ void argmaxPerRow(const float *scores, int *best, int n, int classes)
{
    for (int sample = blockIdx.x * blockDim.x + threadIdx.x; sample < n; sample += gridDim.x * blockDim.x)
    {
        int winner = 0;
        float top = scores[sample * classes];
        for (int c = 1; c < classes; ++c)
        {
            float s = scores[sample * classes + c];
            if (s > top)
            {
                top = s;
                winner = c;
            }
        }
        best[sample] = winner;
    }
}

extern "C" void predict(const float *scores, int *best, int n, int classes)
{
    argmaxPerRow<<<(n + 255) / 256, 256>>>(scores, best, n, classes);
}
