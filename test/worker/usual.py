"""The rows that say what sizes usually are."""

import json
import os

import paths

_FILE = os.path.join(paths.WORKER, "..", "core", "workload", "probe", "shapes", "usual-sizes.json")
with open(_FILE, encoding="utf-8") as file:
    ROWS = json.load(file)
