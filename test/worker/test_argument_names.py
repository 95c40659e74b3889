"""Arguments whose names are words of Python, in references."""

from __future__ import annotations

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.expressions import evaluate
from kernelwright_worker.oracle.reference import CallableReference


class ArgumentNames(unittest.TestCase):
    def test_arguments_may_be_words_of_python(self):
        names = {"in": numpy.arange(3.0), "from": numpy.ones(3), "in_": numpy.full(3, 7.0), "lambda": 2}
        for text, expected in (
            ("in * lambda + from", numpy.arange(3.0) * 2 + 1),
            ("in_ + in", numpy.arange(3.0) + 7),
            ("einsum('i,i->', in, from)", 3.0),
            ("in[1:] if lambda == 2 else from", numpy.array([1.0, 2.0])),
        ):
            with self.subTest(text=text):
                numpy.testing.assert_array_equal(expected, evaluate(text, names))

    def test_functions_are_given_words_of_python_with_a_line_behind_them(self):
        source = "def scaled(in_, n):\n    return in_ * n\n"
        reference = CallableReference("k.py::scaled", {"k.py": source})
        given = {"in": numpy.arange(3.0)}
        numpy.testing.assert_array_equal([0.0, 2.0, 4.0], reference(given, {"n": 2}, ["out"])["out"])

    def test_functions_that_take_all_names_are_given_them_as_they_are(self):
        source = "def scaled(n, **inputs):\n    return inputs['in'] * n\n"
        reference = CallableReference("k.py::scaled", {"k.py": source})
        given = {"in": numpy.arange(3.0)}
        numpy.testing.assert_array_equal([0.0, 2.0, 4.0], reference(given, {"n": 2}, ["out"])["out"])
