__device__ unsigned int scrambled(unsigned int number)
{
    number ^= number >> 16;
    number *= 0x7feb352du;
    return number ^ (number >> 15);
}
