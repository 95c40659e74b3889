/* Lossless wavelet codec: one level of the integer S transform along a line of samples.
 * Low band: floor of the mean of a pair. High band: its difference.
 */
#include <stdint.h>

#define RUN 32 /* pairs that a thread codes */

typedef int32_t sample;

static __device__ void split(sample even, sample odd, sample* mean, sample* detail)
{
	*detail = even - odd;
	*mean = odd + (*detail >> 1);
}

extern "C" __global__ void s_transform(const sample* line, sample* low, sample* high, int pairs)
{
	const int worker = blockIdx.x * blockDim.x + threadIdx.x;
	const int begin = worker * RUN;
	int end = begin + RUN;

	if (end > pairs)
		end = pairs;

	for (int pair = begin; pair < end; ++pair)
	{
		sample mean, detail;
		split(line[2 * pair], line[2 * pair + 1], &mean, &detail);
		low[pair] = mean;
		high[pair] = detail;
	}
}

extern "C" void encode_level(const sample* line, sample* low, sample* high, int pairs)
{
	const int workers = (pairs + RUN - 1) / RUN;
	const int group = 128;

	s_transform<<<(workers + group - 1) / group, group>>>(line, low, high, pairs);
}
