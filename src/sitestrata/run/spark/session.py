"""A Spark session, or one clear sentence about why there cannot be one and what to type."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitestrata.errors import MissingExtraError, UsageError

__all__ = ["check_java", "open_session"]

OLDEST_JAVA = 17  # Spark 4
_INSTALL_JAVA = "Install it, for example: apt-get install openjdk-17-jre-headless"
_VERSION = re.compile(r'version "(\d+)(?:\.(\d+))?')
# What a session of our own is started with; whatever spark-submit or a settings file says goes before it.
_DEFAULTS = {
    "spark.app.name": "sitestrata",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def open_session(master: str | None = None, *, settings: Mapping[str, str] | None = None) -> Any:
    """Return a Spark session of the master (that of spark-submit, else this machine), with some settings."""
    try:
        from pyspark import SparkConf
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("Spark is not installed. Install it: pip install 'sitestrata[spark]'") from error
    if os.environ.get("SPARK_REMOTE") or (master or "").startswith("sc://"):
        raise UsageError(
            "Spark Connect is not supported: name a master (spark://HOST:7077, yarn, k8s://..., local[4])."
        )
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    given = SparkConf()
    builder = SparkSession.builder
    if master is not None:
        builder = builder.master(master)
    elif not given.contains("spark.master"):
        builder = builder.master("local[*]")
    for name, value in {**_DEFAULTS, **(settings or {})}.items():
        if name in (settings or {}) or not given.contains(name):
            builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # py4j wraps what the JVM says
        raise UsageError(f"Spark does not start with the master {master!r}: {_first_line(error)}") from error


def check_java() -> None:
    """Raise `MissingExtraError` where there is no Java that Spark can run on."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if program is None or not Path(program).exists():
        where = f"JAVA_HOME is {home}, where there is none" if home else "no java is on the path"
        raise MissingExtraError(f"Spark needs Java {OLDEST_JAVA} or later, and {where}. {_INSTALL_JAVA}")
    answer = subprocess.run([program, "-version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = _VERSION.search(answer.stderr + answer.stdout)
    if found is None:
        raise MissingExtraError(f"{program} does not say which Java it is. {_INSTALL_JAVA}")
    major = int(found[2] or 0) if found[1] == "1" else int(found[1])  # Java 8 calls itself 1.8
    if major < OLDEST_JAVA:
        raise MissingExtraError(
            f"Spark needs Java {OLDEST_JAVA} or later; {program} is Java {major}. {_INSTALL_JAVA}, and set JAVA_HOME."
        )


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # py4j puts "An error occurred while calling ..." and a colon before what happened.
    said = [line.lstrip(": ") for line in lines if not line.startswith("An error occurred")]
    return (said or ["no reason given"])[0][:500]
