"""The engine for a cluster: the same plan, the same stage functions, the same rows, on Apache Spark."""

from sitestrata.run.spark.engine import TASK_MEMORY, SparkEngine
from sitestrata.run.spark.session import open_session

__all__ = ["TASK_MEMORY", "SparkEngine", "open_session"]
