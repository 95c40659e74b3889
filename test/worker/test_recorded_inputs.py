"""What becomes of recorded contents when nobody may know the answer."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.inputs import Wanted, from_recording


class RecordedInputs(unittest.TestCase):
    def test_recorded_numbers_are_scaled_by_a_secret_factor_and_indices_stay(self):
        values = numpy.array([1.0, -2.0, 0.0, 4.0])
        declared = from_recording(Wanted("float32", [4], "declared"), values)
        numpy.testing.assert_array_equal(values, declared)
        scaled = from_recording(Wanted("float32", [4], "wide"), values)
        self.assertTrue((abs(scaled) >= abs(values) / 4).all() and (abs(scaled) <= abs(values) * 1.5).all())
        self.assertFalse(numpy.array_equal(values, scaled))
        indices = numpy.array([3, 1, 2, 0])
        numpy.testing.assert_array_equal(indices, from_recording(Wanted("int32", [4], "wide"), indices))
        signs = numpy.where(numpy.arange(512) % 3 == 0, -1.0, 1.0)
        first, second = (from_recording(Wanted("float32", [512], "wide"), signs) > 0 for _ in range(2))
        self.assertEqual((171, 171), (512 - first.sum(), 512 - second.sum()))
        self.assertFalse(numpy.array_equal(first, second), "signs alone do not tell the answer")

    def test_recorded_values_stay_near_where_a_spec_says_so(self) -> None:
        prices = numpy.random.default_rng(1).uniform(60, 180, 512)
        near = from_recording(Wanted("float32", [512], "wide"), prices, 0.02)
        self.assertTrue((abs(near - prices) <= 0.02 * prices).all())
        self.assertGreater(abs(near - prices).max(), 0.01 * 60)
        numpy.testing.assert_array_equal(
            prices, from_recording(Wanted("float32", [512], "declared"), prices, 0.02)
        )

    def test_recorded_values_stay_in_order(self) -> None:
        times = numpy.linspace(0.5, 9, 64).astype("f4")
        rates = numpy.random.default_rng(1).normal(size=64).astype("f4")
        members = {"alone": times, "falling": times[::-1], "with a rate": numpy.stack([times, rates], axis=1)}
        for name, values in members.items():
            with self.subTest(name):
                varied = from_recording(Wanted("float32", [*values.shape], "wide"), values)
                of_times = varied.reshape(64, -1)[:, 0] if name != "falling" else varied[::-1]
                self.assertTrue((numpy.diff(of_times.reshape(-1)) >= 0).all())
                self.assertFalse((varied == values).any())
        varied = from_recording(Wanted("float32", [64], "wide"), rates)
        self.assertFalse((numpy.diff(varied) >= 0).all())


if __name__ == "__main__":
    unittest.main()
