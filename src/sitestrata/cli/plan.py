"""``sitestrata plan``: the stages of the plan."""

from dataclasses import fields

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, output_options

__all__ = ["command"]


@make_command(example="sitestrata plan")
@output_options
def command(output: str | None) -> None:
    """List the stages, what each needs and what it makes."""
    from sitestrata.run.plan import PLAN, check_plan

    check_plan(PLAN)
    rows = (
        {
            "stage": stage.name,
            "scope": stage.scope,
            "needs": [name for name in stage.needs if not name.startswith("_")],
            "makes": [name for name in stage.makes if not name.startswith("_")],
            "options": [field.name for field in fields(stage.options)],
        }
        for stage in PLAN
    )
    emit(rows, ["stage", "scope", "needs", "makes", "options"], output=output)
