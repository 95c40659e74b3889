//@case {"kernel": "stage"}
#define KINDS 4
__global__ void stage(double *state, int cells)
{
    const int cell = threadIdx.x + blockIdx.x * 384;
    if (cell < cells) {
        switch (cell % KINDS) {  //@ divergentBranches=90 branches=90
        case 0: state[cell] = sin(state[cell]); break;
        case 1: state[cell] = cos(state[cell]); break;
        case 2: state[cell] = exp(state[cell]); break;
        default: state[cell] = sqrt(state[cell]); break;
        }
    }
}
void launch(double *state, int cells) { stage<<<(cells + 383) / 384, 384>>>(state, cells); }
