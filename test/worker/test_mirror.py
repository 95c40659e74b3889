"""How contents of tensors reach the device."""

import unittest

import torch

import paths
from kernelwright_worker.script.known_addresses import KnownAddresses
from kernelwright_worker.script.mirror import MOST_SENT, Mirror


class Memory:
    """Stands where the device is and holds what it is sent."""

    def __init__(self):
        self.lengths = []
        self.content = bytearray()

    def allocate(self, size, _):
        self.content = bytearray(size)
        return 0

    def write(self, address, content, _):
        self.lengths.append(len(content))
        self.content[address : address + len(content)] = content


class Mirrors(unittest.TestCase):
    def test_a_large_tensor_is_sent_in_parts_and_then_only_where_it_changed(self):
        memory = Memory()
        mirror = Mirror(memory, KnownAddresses(()))
        tensor = torch.zeros(2 * MOST_SENT + 24, dtype=torch.uint8)
        tensor[::4099] = 7
        for change in (None, MOST_SENT + 5, None):
            if change is not None:
                tensor[change] = 9
            upload = mirror.begin()
            upload.address(0, "x", tensor)
            upload.send("here")
            memory.lengths.append("sent")
        self.assertEqual([MOST_SENT, MOST_SENT, 24, "sent", 1 << 18, "sent", "sent"], memory.lengths)
        self.assertEqual(bytes(tensor.numpy()), bytes(memory.content)[tensor.data_ptr() % 16 :])

    def test_what_a_launch_leaves_alone_is_not_copied_back(self):
        class Launched(Memory):
            def refetch(self, address, kept, _):
                kept.is_new = self.content[address : address + len(kept.content)] != kept.content
                if kept.is_new:
                    kept.content[:] = self.content[address : address + len(kept.content)]

        memory = Launched()
        mirror = Mirror(memory, None)
        tensor = torch.zeros(8, dtype=torch.uint8)
        seen = []
        for stored in (5, None, 6):
            upload = mirror.begin()
            at = upload.address(0, "x", tensor)
            upload.send("here")
            if stored is not None:
                memory.content[at + 3] = stored
            upload.ask(None, "here")
            upload.receive()
            seen.append(tensor.tolist()[2:5])
        self.assertEqual([[0, 5, 0], [0, 5, 0], [0, 6, 0]], seen)


if __name__ == "__main__":
    unittest.main()
