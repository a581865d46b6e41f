"""Mine a crawl and score the workspace against gold, for docs/results.md.

    python bench/scores.py $CORPORA/docs/docs.warc.gz --gold $CORPORA/docs --task sites --work $SCRATCH \
        --record docs/results/sites-docs.json

``--keep`` scores the workspace that an earlier run left in the folder, if there is one.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from provenance import commit, digest, machine, own_command

METRICS = {
    "sites": ["adjusted_rand", "rand", "pair_precision", "pair_recall", "b3_f1", "v_measure", "parts"],
    "subsites": ["adjusted_rand", "rand", "pair_precision", "pair_recall", "b3_f1", "v_measure", "parts"],
    "strict-sites": ["adjusted_rand", "rand", "pair_precision", "pair_recall", "b3_f1", "v_measure", "parts"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, help="WARC to mine")
    parser.add_argument("--gold", type=Path, nargs="+", required=True)
    parser.add_argument("--task", required=True)
    parser.add_argument("--baseline", default="all", help="names, or none")
    parser.add_argument("--work", type=Path, required=True, help="folder for the workspace")
    parser.add_argument("--keep", action="store_true", help="score the workspace of an earlier run, if there is one")
    parser.add_argument("--question", help="heading; default: made from task and source")
    parser.add_argument("--record", type=Path, help="docs/results/NAME.json")
    options = parser.parse_args()
    workspace = options.work / f"ws-{options.source.name.partition('.')[0]}"
    if not (options.keep and workspace.exists()):
        shutil.rmtree(workspace, ignore_errors=True)
        run("mine", options.source, "-o", workspace)
    words: list[Any] = ["eval", workspace, "--gold", *options.gold, "--task", options.task, "--json"]
    if options.baseline != "none":
        words += ["--baseline", options.baseline]
    scores = json.loads(run(*words))
    rows = table(scores, METRICS.get(options.task))
    judged = max(score["count"] for score in scores)
    question = options.question or f"{options.task} of {options.source.name.partition('.')[0]}"
    for row in rows:
        print("  ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()))
    if options.record is None:
        return
    content = {
        "question": question,
        "kind": "scores",
        "command": own_command(leave_out=("--keep", "--record", str(options.record))),
        "commit": commit(),
        "machine": machine(),
        "data": {path.name: digest(path) for path in gold_files([options.source, *options.gold])},
        "notes": f"{judged:,} judged.",
        "rows": rows,
    }
    options.record.parent.mkdir(parents=True, exist_ok=True)
    options.record.write_text(json.dumps(content, indent=1, sort_keys=False) + "\n", encoding="utf-8")
    print(f"recorded in {options.record}; run `python bench/results.py`", file=sys.stderr)


def run(*words: Any) -> str:
    command = [sys.executable, "-m", "sitestrata", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def table(scores: list[dict[str, Any]], metrics: list[str] | None) -> list[dict[str, Any]]:
    """Turn figures into one row a system, one column a metric."""
    shown = metrics or list(dict.fromkeys(score["metric"] for score in scores))
    systems = list(dict.fromkeys(score["system"] for score in scores))
    values = {(score["system"], score["metric"]): score["value"] for score in scores}
    return [
        {"": system, **{metric.replace("_", " "): _number(metric, values.get((system, metric))) for metric in shown}}
        for system in systems
    ]


def gold_files(paths: list[Path]) -> list[Path]:
    """Return the files that say something; a folder stands for its gold files, not for its pages."""
    files = []
    for path in paths:
        files += (
            sorted(f for f in path.iterdir() if f.suffix in (".tsv", ".json", ".jsonl")) if path.is_dir() else [path]
        )
    return files


def _number(metric: str, value: float | None) -> float | int | None:
    return int(value) if value is not None and metric == "parts" else value


if __name__ == "__main__":
    main()
