// Water in soil columns, x fastest, then layers, then rows. Double functions on purpose.
__global__ void soil_step(float *wet, float *heat, const float *clay, float dt, int nx, int layers, int ny)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int layer = blockIdx.y, y = blockIdx.z;
    if (x >= nx) return;
    size_t at = ((size_t)y * layers + layer) * nx + x;
    double s = fabs(wet[at]) + 0.01, c = fabs(clay[at]) + 0.1;
    double pull = pow(s, -2.0 * c) + pow(c, 0.33) * exp(-s);
    double flow = dt * pow(s, 3.0 + 2.0 * c) / (1.0 + pow(pull, 0.7));
    wet[at] = s - min(flow, 0.5 * s);
    heat[at] += 0.1 * log(1.0 + flow) * pow(1.0 + c, 1.7);
}
