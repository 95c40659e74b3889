#include <cuda_fp16.h>
#define EPS 1e-6f
__global__ void rms(__half *out, const __half *in, const __half *w, int T, int H)
{
	int t = blockIdx.x*blockDim.x+threadIdx.x;
	if(t>=T) return;
	float ss=0.f;
	for(int h=0;h<H;h++){
		float v=__half2float(in[t*H+h]);
		ss+=v*v;
	}
	float s=rsqrtf(ss/H+EPS);
	for(int h=0;h<H;h++)
		out[t*H+h]=__float2half(__half2float(in[t*H+h])*s*__half2float(w[h]));
}
void run_rms(__half *out,const __half *in,const __half *w,int T,int H){
	rms<<<(T+31)/32,32>>>(out,in,w,T,H);
}
