#include <cstdio>

#include <cudnn.h>

int main() { std::printf("%zu\n", cudnnGetVersion()); }
