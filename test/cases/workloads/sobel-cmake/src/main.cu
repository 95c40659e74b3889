#include <cstdio>
#include "sobel/sobel.hpp"

int main()
{
  sobel::Image img{75, 50, {}};
  for (int y = 0; y < img.height; ++y)
    for (int x = 0; x < img.width; ++x) img.px.push_back((x / 10 + y / 10) % 2 ? 200 : 30);
  const auto e = sobel::edges(img);
  long sum = 0;
  for (auto v : e.px) sum += v;
  std::printf("edge energy %ld\n", sum);
  return sum > 0 ? 0 : 1;
}
