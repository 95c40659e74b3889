"""Arguments of a recorded call as an expression that makes them again."""

import sys
import unittest

import torch

import paths  # noqa: F401
from kernelwright_worker.candidate.calling import with_parameters
from kernelwright_worker.recording.modules import MadeModules
from kernelwright_worker.recording.values import Arguments


class Views(unittest.TestCase):
    def again(self, **values):
        """What the texts of the arguments of one call make, and the shapes of what is recorded of them."""
        arguments = Arguments()
        texts = {name: arguments.text(name, value) for name, value in values.items()}
        arguments.take()
        names = {
            each.name: torch.frombuffer(bytearray(each.before), dtype=torch.float32).reshape(each.shape)
            for each in arguments.tensors
        }
        known = {**names, **arguments.numbers}
        made = {name: eval(text, known) for name, text in texts.items()}  # noqa: S307
        return made, {each.name: each.shape for each in arguments.tensors}

    def test_parts_of_larger_tensors(self):
        whole = torch.arange(24.0).reshape(4, 6).clone()
        halves = whole.chunk(2, dim=-1)
        cases = [
            ("a slice of rows", {"x": whole[:, 2:5]}, {"x": [4, 6]}),
            ("two halves of one tensor", {"x": halves[0], "y": halves[1]}, {"x": [4, 6]}),
            ("every other element", {"x": whole[::2, ::3]}, {"x": [4, 6]}),
            ("a part that is turned", {"x": whole[1:, 1:3].t()}, {"x": [4, 6]}),
            ("repeated rows", {"x": torch.arange(3.0).expand(5, 3)}, {"x": [3]}),
            (
                "memory that is no whole tensor",
                {"x": torch.arange(9.0).as_strided((2, 2), (5, 1))},
                {"x": [9]},
            ),
            ("whole tensors", {"x": whole, "y": whole.t()}, {"x": [4, 6], "y": [4, 6]}),
        ]
        for title, values, shapes in cases:
            with self.subTest(title):
                made, recorded = self.again(**values)
                self.assertEqual(shapes, recorded)
                for name, value in values.items():
                    self.assertTrue(torch.equal(value, made[name]), name)
                    if len(shapes) < len(values):
                        self.assertEqual(value.stride(), made[name].stride())


class Scale(torch.nn.Module):
    def __init__(self, features, factor=2.0, *, bias=True):
        super().__init__()
        self.factor = factor
        self.inner = torch.nn.Linear(features, 3, bias=bias)

    def forward(self, x):
        return self.factor * self.inner(x)


class Shifted(Scale):
    def __init__(self, features):
        super().__init__(features, factor=5.0)


class Listed(torch.nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.sizes = sizes


class Modules(unittest.TestCase):
    def text(self, make):
        """What makes a module again, and the names in it."""
        modules, arguments = MadeModules(), Arguments()
        sys.setprofile(lambda frame, event, _: modules.note(frame) if event == "call" else None)
        try:
            made = make()
        finally:
            sys.setprofile(None)
        text = modules.text(made, sys.modules[__name__], arguments)
        names = {each.name: each.live for each in arguments.tensors}
        return made, text, {**names, **arguments.numbers}

    def test_modules_are_made_again(self):
        cases = [
            ("with defaults", lambda: Scale(4)),
            ("by name, in evaluation", lambda: Scale(features=4, factor=0.5, bias=False).eval()),
            ("of a class whose base is one too", lambda: Shifted(4)),
        ]
        x = torch.arange(8.0).reshape(2, 4)
        for title, make in cases:
            with self.subTest(title):
                made, text, names = self.text(make)
                known = {**globals(), "with_parameters": with_parameters, **names}
                again = eval(text, known)  # noqa: S307
                self.assertTrue(torch.equal(made(x), again(x)))
                self.assertEqual(made.training, again.training)

    def test_modules_that_cannot_be(self):
        class Local(torch.nn.Module):
            def __init__(self, features):
                super().__init__()

        for title, make in [
            ("any number of arguments", lambda: Listed(1, 2)),
            ("a local class", lambda: Local(3)),
        ]:
            with self.subTest(title):
                self.assertIsNone(self.text(make)[1])


if __name__ == "__main__":
    unittest.main()
