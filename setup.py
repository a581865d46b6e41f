"""Builds the compiled kernels: every ``src/sitestrata/_kernels/*.pyx``, one extension each.

Each kernel has a Python twin, so a machine without a compiler still gets a working, slower product.
"""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = sorted(Path("src/sitestrata/_kernels").glob("*.pyx"))
# OpenMP is in gcc everywhere on Linux; Apple's clang lacks it, and the kernels then run on one core.
PARALLEL = [] if os.uname().sysname == "Darwin" else ["-fopenmp"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"sitestrata._kernels.{source.stem}",
                [str(source)],
                include_dirs=[numpy.get_include()],
                define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
                extra_compile_args=["-O3", "-g0", *PARALLEL],
                extra_link_args=PARALLEL,
                optional=True,
            )
            for source in KERNELS
        ],
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "embedsignature": True,
        },
    )
    if KERNELS
    else []
)
