#pragma once

struct Shape {
  __device__ virtual int area() const = 0;
};

struct Square : Shape {
  int side;
  __device__ explicit Square(int length) : side(length) {}
  __device__ int area() const override;
};

struct Box : Shape {
  int width, height;
  __device__ Box(int w, int h) : width(w), height(h) {}
  __device__ int area() const override;
};

__device__ int doubled(const Shape &shape);
