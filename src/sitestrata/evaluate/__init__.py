"""Gold and an answer -> scores: every metric, the gold formats, the baselines, and the floors that scores must keep."""

from collections.abc import Sequence

from sitestrata.errors import UsageError
from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.outcome import Outcome, joined
from sitestrata.evaluate.tasks import TASKS, Context
from sitestrata.evaluate.tasks.context import EdgesBetween

__all__ = ["evaluate"]


def evaluate(
    answer: Facts,
    gold: Facts,
    *,
    tasks: Sequence[str] = (),
    baselines: Sequence[str] = (),
    edges_between: EdgesBetween | None = None,
) -> Outcome:
    """Score an answer against gold: the named tasks, or all for which both sides have something.

    Raises:
        UsageError: a task was named for which gold or the answer has nothing.
    """
    context = Context(gold, answer, baselines, edges_between)
    outcomes = []
    for name in tasks or TASKS:
        part, task = TASKS[name]
        outcome = task(context) if not part or part in gold.parts() else Outcome()
        if tasks and not outcome.scores:
            raise UsageError(f"Nothing to score for task {name}: {_lack(part, gold, answer)}.")
        outcomes.append(outcome)
    return joined(outcomes)


def _lack(part: str, gold: Facts, answer: Facts) -> str:
    if part and part not in gold.parts():
        return f"the gold has no {part} (it has {', '.join(gold.parts()) or 'nothing'})"
    return f"the answer has nothing for it (it has {', '.join(answer.parts()) or 'nothing'})"
