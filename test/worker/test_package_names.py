"""Under which names packages are installed."""

import unittest

import paths  # noqa: F401
from kernelwright_worker.package_names import package_of


class PackageNames(unittest.TestCase):
    def test_a_package_has_the_name_of_its_module_or_that_of_the_table(self):
        for module, package in [("yaml", "PyYAML"), ("cv2", "opencv-python-headless"), ("einops", "einops")]:
            with self.subTest(module):
                self.assertEqual(package, package_of(module))


if __name__ == "__main__":
    unittest.main()
