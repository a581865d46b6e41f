"""Why Spark cannot run is said in one sentence, with the command that helps."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from sitestrata.errors import MissingExtraError, UsageError
from sitestrata.run.mine import mine
from sitestrata.run.spark.session import check_java, open_session


def fake_java(folder: Path, answer: str) -> Path:
    (folder / "bin").mkdir()
    program = folder / "bin" / "java"
    program.write_text(f"#!/bin/sh\necho '{answer}' >&2\n")
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('java version "1.8.0_402"', r"needs Java 17 or later; .*bin/java is Java 8\. .*apt-get install openjdk-17"),
        ('openjdk version "11.0.22" 2024-01-16', "is Java 11.*JAVA_HOME"),
        ("bad ELF interpreter", "does not say which Java it is"),
    ],
)
def test_the_wrong_java_is_named(answer: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, answer)))

    with pytest.raises(MissingExtraError, match=message):
        check_java()


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea"])
def test_a_java_that_is_new_enough_will_do(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path, f'openjdk version "{version}" 2025-04-15')))

    check_java()


def test_without_java_the_message_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(MissingExtraError, match=r"no java is on the path\. Install it, for example: apt-get install"):
        check_java()


def test_without_pyspark_the_message_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *arguments: Any, **options: Any) -> Any:
        if name.split(".")[0] == "pyspark":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)

    with pytest.raises(MissingExtraError, match=r"pip install 'sitestrata\[spark\]'"):
        mine([tmp_path], tmp_path / "ws", engine="spark", base_url="http://a.example/")
    assert not (tmp_path / "ws").exists()


def test_settings_of_spark_are_refused_without_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="say --engine spark"):
        mine([tmp_path], tmp_path / "ws", master="local[2]")


@pytest.mark.spark
def test_spark_connect_is_refused() -> None:
    with pytest.raises(UsageError, match="Spark Connect is not supported"):
        open_session("sc://127.0.0.1:15002")
