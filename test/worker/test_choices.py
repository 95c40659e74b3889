"""What is tried first for a parameter, by its annotation and by what host code does with it."""

import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.text.hints import Hint
from kernelwright_worker.probe.values.choices import choices_of

SHAPE = ("batch", "length", "channels")


class FirstChoice(unittest.TestCase):
    def test_an_annotation_that_is_no_tensor_outranks_what_the_text_suggests(self):
        cases = [
            ("channels", "int", True, False),
            ("scale", "float", True, False),
            ("causal", "bool", True, False),
            ("mode", "str", True, False),
            ("x", "", True, True),
            ("x", "torch.Tensor", False, True),
            ("x", "Optional[torch.Tensor]", False, True),
        ]
        for name, annotation, looks_like_one, is_tensor in cases:
            with self.subTest(name=name, annotation=annotation):
                first = choices_of(name, Hint(tensor=looks_like_one), annotation, ([SHAPE], set()))[0]
                self.assertEqual(is_tensor, first.tensor is not None)

    def test_a_number_named_like_a_pointer_of_the_kernel_stays_one(self):
        first = choices_of("width", Hint(), "int", ([SHAPE], {"width"}))[0]
        self.assertIsNone(first.tensor)


if __name__ == "__main__":
    unittest.main()
