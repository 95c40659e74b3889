"""The framing of messages, against streams that are cut, wrong or too long."""

import io
import random
import subprocess
import sys
import unittest

import paths
from kernelwright_worker.framing import Channel, ProtocolError


def channel_of(content):
    return Channel(io.BytesIO(content), io.BytesIO())


class Framing(unittest.TestCase):
    def test_what_is_written_is_read(self):
        generator = random.Random(1)
        sent = [
            (
                {"id": number, "text": "ü\n" * number},
                [
                    bytes(generator.randrange(256) for _ in range(generator.randrange(50)))
                    for _ in range(number % 3)
                ],
            )
            for number in range(40)
        ]
        out = io.BytesIO()
        writer = Channel(io.BytesIO(), out)
        for header, frames in sent:
            writer.write(header, frames)
        reader = channel_of(out.getvalue())
        for header, frames in sent:
            received, content = reader.read()
            self.assertEqual({**header, "frames": [len(frame) for frame in frames]}, received)
            self.assertEqual(frames, content)
        self.assertIsNone(reader.read())

    def test_what_is_no_message_is_an_error(self):
        for content in (
            b"hello\n",
            b"[]\n",
            b'{"frames":[-1]}\n',
            b'{"frames":[true]}\n',
            b'{"frames":[3]}\nab',
            b'{"a":1}',
        ):
            with self.subTest(content=content), self.assertRaises(ProtocolError):
                channel_of(content).read()


class Main(unittest.TestCase):
    def run_worker(self, arguments, given=b""):
        return subprocess.run(
            [sys.executable, paths.WORKER, *arguments],
            input=given,
            capture_output=True,
            timeout=60,
            check=False,
        )

    def test_a_wrong_role_is_a_wrong_call(self):
        done = self.run_worker(["dance"])
        self.assertEqual(
            (
                2,
                b"",
                b"usage: python FOLDER build|oracle|candidate|gpu, or: python FOLDER script FILE ARGUMENTS\n",
            ),
            (done.returncode, done.stdout, done.stderr),
        )

    def test_the_end_of_the_stream_is_the_end_of_the_worker(self):
        done = self.run_worker(["build"])
        self.assertEqual(0, done.returncode)
        self.assertIn(b'"role":"build"', done.stdout)

    def test_garbage_is_answered_with_what_was_wrong(self):
        done = self.run_worker(["oracle"], b"what?\n")
        self.assertEqual(3, done.returncode)
        self.assertIn(b'"broken":"not JSON', done.stdout)


if __name__ == "__main__":
    unittest.main()
