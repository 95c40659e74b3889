"""Writes all expectations again. Usage: python generate.py (Python 3.10 or later, nothing else needed)."""

import approximate_cases
import control_cases
import convert_cases
import float_cases
import fragment_cases
import integer_cases
import logic_cases
import matrix_cases
import memory_cases
import small_float_cases
import sparse_cases
import video_cases
import warp_cases
import word_cases

for module in (approximate_cases, control_cases, convert_cases, float_cases, fragment_cases, integer_cases, logic_cases, matrix_cases, memory_cases, small_float_cases, sparse_cases, video_cases, warp_cases, word_cases):
    module.main()
