#pragma once
#include <stdexcept>
#include <type_traits>
#include <vendor_sparse.h>

template <typename T>
int kind_of() {
  if (std::is_same<T, float>::value) {
    return 1;
  }
#ifdef WITH_DOUBLES
  else if (std::is_same<T, double>::value) {
    return 2;
  }
#endif
  else {
    throw std::runtime_error("no such kind");
  }
}

template <typename T>
struct Doubled {
  T value;
};

int kind_of_handle(vendor_sparse_handle handle);
