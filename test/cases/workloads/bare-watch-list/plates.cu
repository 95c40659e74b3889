// Toll gate: which of the plates that were read are on the watch list?
__global__ void on_watch_list(const unsigned* plate, const unsigned* wanted, int nwanted, unsigned char* alarm, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned char found = 0;
    for (int k = 0; k < nwanted; k++)
        if (plate[i] == wanted[k]) found = 1;
    alarm[i] = found;
}
