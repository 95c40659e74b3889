// The three computations as plain loops: what one core does with no GPU in between. Prints {name: {seconds,
// digest}}. Usage: loops ROWS COLUMNS ROWS COLUMNS SIZE (softmax, layer norm, matmul)

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Numbers = std::vector<float>;

static Numbers numbers(long count, long seed) {
  Numbers values(count);
  for (long index = 0; index < count; ++index)
    values[index] = static_cast<float>((index + seed) * 37 % 101 / 101.0 - 0.5);
  return values;
}

static double digest(const Numbers &values) {
  double sum = 0.0;
  for (size_t index = 0; index < values.size(); ++index)
    sum += static_cast<double>(values[index]) * (1 + index % 7);
  return sum;
}

static void softmax(const Numbers &x, Numbers &y, int rows, int columns) {
  for (int row = 0; row < rows; ++row) {
    const float *from = &x[static_cast<long>(row) * columns];
    float *to = &y[static_cast<long>(row) * columns];
    float most = -INFINITY, total = 0.0f;
    for (int column = 0; column < columns; ++column)
      most = from[column] > most ? from[column] : most;
    for (int column = 0; column < columns; ++column)
      total += to[column] = expf(from[column] - most);
    for (int column = 0; column < columns; ++column)
      to[column] /= total;
  }
}

static void layerNorm(const Numbers &x, const Numbers &weight, const Numbers &bias, Numbers &y, int rows,
                      int columns) {
  for (int row = 0; row < rows; ++row) {
    const float *from = &x[static_cast<long>(row) * columns];
    float *to = &y[static_cast<long>(row) * columns];
    float total = 0.0f, square = 0.0f;
    for (int column = 0; column < columns; ++column) {
      total += from[column];
      square += from[column] * from[column];
    }
    float mean = total / columns;
    float scale = 1.0f / std::sqrt(square / columns - mean * mean + 1e-5f);
    for (int column = 0; column < columns; ++column)
      to[column] = (from[column] - mean) * scale * weight[column] + bias[column];
  }
}

static void matmul(const Numbers &a, const Numbers &b, Numbers &c, int size) {
  for (int row = 0; row < size; ++row) {
    float *to = &c[static_cast<long>(row) * size];
    for (int column = 0; column < size; ++column)
      to[column] = 0.0f;
    for (int k = 0; k < size; ++k) {
      float factor = a[static_cast<long>(row) * size + k];
      const float *from = &b[static_cast<long>(k) * size];
      for (int column = 0; column < size; ++column)
        to[column] += factor * from[column];
    }
  }
}

static double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/// Best of ten runs.
template <typename Run>
static void report(const char *name, const Numbers &result, const char *behind, Run run) {
  double best = INFINITY;
  for (int attempt = 0; attempt < 10; ++attempt) {
    double start = processorTime();
    run();
    double seconds = processorTime() - start;
    best = seconds < best ? seconds : best;
  }
  std::printf("\"%s\": {\"seconds\": %.9g, \"digest\": %.9g}%s", name, best, digest(result), behind);
}

int main(int count, char **words) {
  if (count != 6) return 2;
  int rows = std::atoi(words[1]), columns = std::atoi(words[2]);
  int normRows = std::atoi(words[3]), normColumns = std::atoi(words[4]), size = std::atoi(words[5]);
  Numbers x = numbers(static_cast<long>(rows) * columns, 0), y(x.size());
  Numbers z = numbers(static_cast<long>(normRows) * normColumns, 0), weight = numbers(normColumns, 3),
          bias = numbers(normColumns, 5), n(z.size());
  Numbers a = numbers(static_cast<long>(size) * size, 0), b = numbers(static_cast<long>(size) * size, 7),
          c(a.size());
  std::printf("{");
  report("softmax", y, ", ", [&] { softmax(x, y, rows, columns); });
  report("layer_norm", n, ", ", [&] { layerNorm(z, weight, bias, n, normRows, normColumns); });
  report("matmul", c, "}\n", [&] { matmul(a, b, c, size); });
}
