#pragma once
#include <cuda_runtime.h>
#include <vector>

template <class Pixel>
class DeviceImage {
public:
    DeviceImage(int width, int height) : width_(width), height_(height) {
        cudaMalloc(&data_, sizeof(Pixel) * width * height);
    }
    ~DeviceImage() { cudaFree(data_); }
    DeviceImage(const DeviceImage&) = delete;
    DeviceImage& operator=(const DeviceImage&) = delete;

    void set(const std::vector<Pixel>& host) {
        cudaMemcpy(data_, host.data(), host.size() * sizeof(Pixel), cudaMemcpyHostToDevice);
    }
    std::vector<Pixel> get() const {
        std::vector<Pixel> host(width_ * height_);
        cudaMemcpy(host.data(), data_, host.size() * sizeof(Pixel), cudaMemcpyDeviceToHost);
        return host;
    }
    Pixel* data() { return data_; }
    const Pixel* data() const { return data_; }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    int width_, height_;
    Pixel* data_ = nullptr;
};
