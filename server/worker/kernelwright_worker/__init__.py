"""The part of Kernelwright that runs where the compilers are. Standard library only; numpy, torch and triton
are imported where needed.
"""

VERSION = "0.1.0"
