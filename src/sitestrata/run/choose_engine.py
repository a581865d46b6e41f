"""What a call of `mine` says about processes and Spark -> the engine that runs it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sitestrata.errors import UsageError
from sitestrata.run.embedded import EmbeddedEngine, default_memory_limit
from sitestrata.run.engine import Engine
from sitestrata.run.plan import ENGINES

__all__ = ["CrewSettings", "SparkSettings", "choose_engine"]


@dataclass(frozen=True, slots=True)
class CrewSettings:
    """What a call of `mine` says about processes."""

    workers: int | None
    memory_limit: int | None
    page_seconds: float
    chunk_pages: int

    @property
    def memory(self) -> int:
        """Return the limit, half of the machine's memory if none was given."""
        return self.memory_limit or default_memory_limit()


@dataclass(frozen=True, slots=True)
class SparkSettings:
    """What a call of `mine` says about Spark."""

    session: Any
    master: str | None
    conf: Mapping[str, str]
    shards: int | None

    def __bool__(self) -> bool:
        """Tell whether anything was said."""
        return bool(self.session is not None or self.master or self.conf or self.shards)


@contextmanager
def choose_engine(engine: Engine | str | None, crew: CrewSettings, on_spark: SparkSettings) -> Iterator[Engine]:
    """Yield the engine that a call of `mine` asks for; a Spark session of our own ends with it."""
    name = engine if isinstance(engine, str) else "spark" if on_spark.session is not None else "local"
    if name not in ENGINES:
        raise UsageError(f"There is no engine {name!r}; say one of {', '.join(ENGINES)}.")
    if on_spark and (name != "spark" or not isinstance(engine, str | None)):
        raise UsageError("Session, master, settings and shards are for Spark: say --engine spark.")
    if engine is not None and not isinstance(engine, str):
        yield engine
    elif name == "local":
        workers = crew.workers or os.cpu_count() or 1
        yield EmbeddedEngine(workers, crew.memory, page_seconds=crew.page_seconds, chunk_pages=crew.chunk_pages)
    else:
        # Only here: whoever does not ask for Spark need not have it.
        from sitestrata.run.spark import TASK_MEMORY, SparkEngine, open_session

        session = on_spark.session or open_session(on_spark.master, settings=on_spark.conf)
        try:
            yield SparkEngine(
                session,
                shards=on_spark.shards,
                memory=crew.memory_limit or TASK_MEMORY,
                page_seconds=crew.page_seconds,
                chunk_pages=crew.chunk_pages,
            )
        finally:
            if on_spark.session is None:
                session.stop()
