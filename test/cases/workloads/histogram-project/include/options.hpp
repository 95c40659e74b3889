#pragma once
#include <cstdlib>

struct Options { int count = 20000; int bins = 100; };

inline Options parse(int argc, char** argv)
{
    Options o;
    if (argc > 1) o.count = std::atoi(argv[1]);
    if (argc > 2) o.bins = std::atoi(argv[2]);
    return o;
}
