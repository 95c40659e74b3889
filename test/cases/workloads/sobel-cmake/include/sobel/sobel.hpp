#pragma once
#include <cstdint>
#include <vector>
namespace sobel {
struct Image { int width, height; std::vector<std::uint8_t> px; };
Image edges(const Image& src);
}
