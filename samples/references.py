"""Reference results of the samples, on float64 arrays. Each is called with the inputs and the sizes by keyword."""

import numpy


def vector_add(a, b, **sizes):
    return a + b


def softmax(x, **sizes):
    shifted = x - x.max(axis=1, keepdims=True)
    weights = numpy.exp(shifted)
    return weights / weights.sum(axis=1, keepdims=True)


def transpose(input, **sizes):
    return input.T.copy()


def matmul(a, b, **sizes):
    return a @ b
