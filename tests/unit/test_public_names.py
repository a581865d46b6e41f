"""What users may import, and nothing that costs start-up time before it is used."""

import inspect
import subprocess
import sys

import sitestrata


def test_public_names_are_these() -> None:
    expected = [
        "CrawlOptions",
        "Error",
        "Exported",
        "Forgotten",
        "Progress",
        "Workspace",
        "__version__",
        "breadcrumbs",
        "crawl",
        "explain",
        "find_ontology",
        "find_site",
        "find_site_live",
        "forget_pages",
        "list_menus",
        "list_pages",
        "list_sites",
        "list_tables",
        "mine",
        "open_workspace",
        "page_tables",
        "page_tree",
        "site_tree",
        "write_export",
        "write_report",
        "write_sample",
    ]

    assert expected == sitestrata.__all__
    assert all(getattr(sitestrata, name) is not None for name in expected)


def test_every_public_name_is_documented_and_typed() -> None:
    for name in sitestrata.__all__:
        thing = getattr(sitestrata, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            assert signature.return_annotation is not inspect.Signature.empty, name
            assert all(item.annotation is not inspect.Parameter.empty for item in signature.parameters.values()), name


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, sitestrata; print(sorted({'numpy', 'pyarrow', 'duckdb', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout
