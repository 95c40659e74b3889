/* Sheets that are closed in both directions: points of one colour are moved towards their neighbours. */
extern "C" __global__ void move_points(float* height, const float* stiffness, unsigned side, unsigned sheets,
                                       unsigned odd)
{
    unsigned point = blockIdx.x * blockDim.x + threadIdx.x, sheet = blockIdx.y;
    if (point >= side * side || sheet >= sheets) return;
    unsigned row = point / side, column = point % side;
    if (((row ^ column ^ odd) & 1u) != 0) return;
    float* own = height + (size_t)sheet * side * side;
    unsigned next = column + 1 == side ? 0 : column + 1, last = column == 0 ? side - 1 : column - 1;
    unsigned below = row + 1 == side ? 0 : row + 1, above = row == 0 ? side - 1 : row - 1;
    float around = own[row * side + next] + own[row * side + last] + own[below * side + column] +
                   own[above * side + column];
    own[point] += stiffness[sheet] * (0.25f * around - own[point]);
}
