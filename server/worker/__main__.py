"""Start of the worker: `python FOLDER ROLE`, where the role is build, oracle, candidate, gpu or script. See
PROTOCOL.md.
"""

import sys

from kernelwright_worker.main import main

sys.exit(main(sys.argv[1:]))
