"""What users may import, and nothing that costs start-up time before it is used."""

import subprocess
import sys

import sitestrata


def test_public_names_are_these() -> None:
    expected = ["Error", "Progress", "Workspace", "__version__", "mine", "open_workspace"]

    assert expected == sitestrata.__all__
    assert all(getattr(sitestrata, name) is not None for name in expected)


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, sitestrata; print(sorted({'numpy', 'pyarrow', 'duckdb', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout
