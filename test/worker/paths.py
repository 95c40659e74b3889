"""Makes the worker's package importable, from wherever the tests are started."""

import os
import sys

WORKER = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "server", "worker"))
if WORKER not in sys.path:
    sys.path.insert(0, WORKER)
