"""What host code asks of the generator of a device."""

import unittest

import paths  # noqa: F401
import torch
from kernelwright_worker.torch_gpu.philox_state import PhiloxState


class States(unittest.TestCase):
    def test_host_code_takes_numbers_and_draws_the_same_again(self):
        generator = PhiloxState()
        drawn = []
        for _ in range(2):
            state = generator.get_state()
            seed, offset = state.view(torch.int64)
            drawn.append((int(seed), int(offset)))
            offset += 64
            generator.set_state(state)
        self.assertEqual([(generator.initial_seed(), generator.get_offset())] * 2, drawn)
        self.assertIs(generator, generator.manual_seed(3))


if __name__ == "__main__":
    unittest.main()
