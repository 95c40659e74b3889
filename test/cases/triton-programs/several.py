"""Runs the scripts that it is given as one program, each in a namespace of its own."""
import runpy
import sys

for name in sys.argv[1:]:
    print(f"== {name}", flush=True)
    runpy.run_path(f"{name}.py", run_name="__main__")
