"""What a program says to its device: whole requests of bounded length, and nothing more once one was cut
short.
"""

import signal
import socket
import struct
import tempfile
import threading
import unittest

import paths
from kernelwright_worker.script import device, wire

HELLO = wire.count(1, 0) + wire.sized("GPU") + wire.wide(1 << 32, 0, 0) + wire.count(0)


class Interrupted(Exception):
    pass


class Devices(unittest.TestCase):
    def device_that_greets(self, then):
        """A device over a real socket that answers the greeting; `then` is given its side of the connection."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = folder.name + "/device"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()

        def serve():
            connection, _ = listener.accept()
            with connection, listener:
                connection.recv(16 + 4, socket.MSG_WAITALL)
                connection.sendall(struct.pack("<IIQ", 0, 0, len(HELLO)) + HELLO)
                then(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        self.addCleanup(thread.join)
        return device.Device(path)

    def test_an_exception_while_a_reply_is_awaited_ends_the_connection(self):
        def interrupt(*_):
            raise Interrupted

        def remain_silent(connection):
            while connection.recv(4096):
                continue

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        made = self.device_that_greets(remain_silent)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(Interrupted):
            made.mark()
        with self.assertRaisesRegex(wire.DeviceLost, "the virtual GPU has ended"):
            made.mark()

    def test_a_failure_that_the_device_tells_ends_nothing(self):
        def answer(connection):
            for status, body in ((1, b"no"), (0, bytes(24))):
                connection.recv(16, socket.MSG_WAITALL)
                connection.sendall(struct.pack("<IIQ", status, 0, len(body)) + body)

        made = self.device_that_greets(answer)
        with self.assertRaisesRegex(wire.DeviceError, "no"):
            made.mark()
        self.assertEqual((0, 0), made.mark())

    def test_bytes_that_have_not_changed_do_not_come_again(self):
        def answer(connection):
            for body in (b"abcd", b"", b"abce"):
                connection.recv(16 + 32 + 4, socket.MSG_WAITALL)
                connection.sendall(struct.pack("<IIQ", 0, 0, len(body)) + body)

        made = self.device_that_greets(answer)
        content = bytearray(4)
        kept = device.Kept(memoryview(content))
        seen = []
        for _ in range(3):
            made.refetch(256, kept, "")
            made.settle()
            seen.append((bytes(content), kept.is_new))
        self.assertEqual([(b"abcd", True), (b"abcd", False), (b"abce", True)], seen)


if __name__ == "__main__":
    unittest.main()
