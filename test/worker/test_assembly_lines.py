"""Places in PTX that LLVM wrote."""

import unittest

from kernelwright_worker.triton_versions.assembly_lines import without_assembly_lines


class AssemblyLines(unittest.TestCase):
    def test_places_within_inline_assembly_become_blank_lines(self) -> None:
        ptx = """\t.loc\t1 22 9
\tmov.b32 \t%r24, 0;
\t// begin inline asm
\t.loc\t1 22 9
\tmov.u32 %r20, %r24;
\t.loc\t1 25 9
\t@%p1 ld.global.v4.b32 { %r20, %r21, %r22, %r23 }, [ %rd16 + 0 ];
\t// end inline asm
\t.loc\t1 23 19
\tadd.s64 \t%rd27, %rd19, %rd24;
"""
        expected = """\t.loc\t1 22 9
\tmov.b32 \t%r24, 0;
\t// begin inline asm

\tmov.u32 %r20, %r24;

\t@%p1 ld.global.v4.b32 { %r20, %r21, %r22, %r23 }, [ %rd16 + 0 ];
\t// end inline asm
\t.loc\t1 23 19
\tadd.s64 \t%rd27, %rd19, %rd24;
"""
        self.assertEqual(without_assembly_lines(ptx), expected)

    def test_other_text_stays_as_it_is(self) -> None:
        for text in ("", "\t.loc\t1 2 3\n", "// begin inline asm\n\t.loc\t1 2 3\n"):
            with self.subTest(text=text):
                self.assertEqual(without_assembly_lines(text), text)


if __name__ == "__main__":
    unittest.main()
