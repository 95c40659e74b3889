"""Under which name a package is installed whose module is imported."""

from __future__ import annotations

_PACKAGES = {
    "Crypto": "pycryptodome",
    "OpenGL": "PyOpenGL",
    "OpenSSL": "pyOpenSSL",
    "PIL": "pillow",
    "absl": "absl-py",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cuda": "cuda-python",
    "cupy": "cupy-cuda13x",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "fla": "flash-linear-attention",
    "flash_attn": "flash-attn",
    "git": "GitPython",
    "liger_kernel": "liger-kernel",
    "mpl_toolkits": "matplotlib",
    "pkg_resources": "setuptools",
    "pynvml": "nvidia-ml-py",
    "pytorch_lightning": "pytorch-lightning",
    "sentence_transformers": "sentence-transformers",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "tensorrt_llm": "tensorrt-llm",
    "torch_geometric": "torch-geometric",
    "umap": "umap-learn",
    "yaml": "PyYAML",
}


def package_of(module: str) -> str:
    """The package that a module comes with: most have its name."""
    return _PACKAGES.get(module, module)
