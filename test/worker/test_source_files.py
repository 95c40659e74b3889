"""Texts of compilers without the folders that sources lay in."""

import unittest

import paths  # noqa: F401
from kernelwright_worker.source_files import ptx_without_folder


def bytes_of(text):
    return "".join(".b8 %d\n" % each for each in text.encode())


class PtxWithoutFolder(unittest.TestCase):
    def test_one_source_has_one_text_in_all_folders(self):
        texts = []
        for drawn in ("kernelwright-worker-candidate-a1b2c3d4", "kernelwright-worker-candidate-zyx_wvu9"):
            folder = "/tmp/%s/candidate" % drawn
            ptx = '.file 1 "%s/a.py"\n.b8 1 // DW_AT_comp_dir\n%s' % (folder, bytes_of(folder + "/a.py"))
            texts.append(ptx_without_folder(ptx, folder))
        self.assertEqual(texts[0], texts[1])
        self.assertIn('.file 1 "a.py"\n', texts[0])
        self.assertIn(bytes_of("/candidate/a.py"), texts[0])
        self.assertEqual(texts[0].count(".b8"), 1 + len("/tmp//candidate/a.py") + len(drawn))


if __name__ == "__main__":
    unittest.main()
