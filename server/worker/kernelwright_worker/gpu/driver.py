"""What NVIDIA's driver says of the GPUs of this machine, and the devices that it is reached by."""

from __future__ import annotations

import os
import re
import subprocess

from ..errors import WorkerError

#: Beside the device of a GPU, what the driver and its memory are reached by; on WSL one device for all.
SHARED_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/dxg")
ANSWER_SECONDS = 20


def ask(arguments: list[str]) -> dict[str, object]:
    """What nvidia-smi answers. Raises tool-missing where it is not there, worker-timeout where it is silent."""
    try:
        done = subprocess.run(
            ["nvidia-smi", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        raise WorkerError(
            "worker-timeout", "nvidia-smi did not answer within %d s" % ANSWER_SECONDS
        ) from expired
    except OSError as error:
        raise WorkerError(
            "tool-missing", "there is no nvidia-smi, which comes with NVIDIA's driver"
        ) from error
    return {
        "code": done.returncode,
        "output": done.stdout.decode("utf-8", "replace"),
        "errors": done.stderr.decode("utf-8", "replace"),
    }


def devices(index: int, bus: str) -> list[str]:
    """Devices that a process needs to use one GPU, as far as they are there."""
    own = "/dev/nvidia%d" % _minor_number(index, bus)
    return [path for path in (own, *SHARED_DEVICES) if os.path.exists(path)]


def _minor_number(index: int, bus: str) -> int:
    """The driver names a GPU's folder by its place on the bus, with four digits for the domain."""
    place = re.sub(r"[^0-9a-f:.]", "", bus.lower())[-12:]
    try:
        with open("/proc/driver/nvidia/gpus/%s/information" % place, encoding="utf-8") as file:
            minor = re.search(r"Device Minor:\s*(\d+)", file.read())
    except OSError:
        minor = None
    return int(minor.group(1)) if minor else index
