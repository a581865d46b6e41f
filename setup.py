"""Builds the compiled kernels: every ``src/sitestrata/_kernels/*.pyx``, one extension each.

Each kernel has a Python twin, so a machine without a compiler still gets a working, slower product. Modules with a
``.pxd`` beside them are compiled as they stand: there the source itself is the twin.
"""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Path("src")
KERNELS = sorted(SOURCE.glob("sitestrata/_kernels/*.pyx"))
MODULES = sorted(
    types.with_suffix(".py") for types in SOURCE.glob("sitestrata/**/*.pxd") if types.with_suffix(".py").exists()
)
# OpenMP is in gcc everywhere on Linux; Apple's clang lacks it, and the kernels then run on one core.
PARALLEL = [] if os.uname().sysname == "Darwin" else ["-fopenmp"]

DIRECTIVES = {"boundscheck": False, "cdivision": True, "embedsignature": True}


def extension(source: Path) -> Extension:
    """Describe how one source is compiled; where that fails, the Python beside it is used."""
    return Extension(
        ".".join(source.relative_to(SOURCE).with_suffix("").parts),
        [str(source)],
        include_dirs=[numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=["-O3", "-g0", *PARALLEL],
        extra_link_args=PARALLEL,
        optional=True,
    )


setup(
    ext_modules=[
        *cythonize(
            [extension(source) for source in KERNELS],
            language_level=3,
            compiler_directives={**DIRECTIVES, "wraparound": False},
        ),
        # Of modules compiled as they stand, the .pxd says what has a C type, not the annotations.
        *cythonize(
            [extension(source) for source in MODULES],
            language_level=3,
            include_path=[str(SOURCE)],
            compiler_directives={**DIRECTIVES, "annotation_typing": False},
        ),
    ]
)
