"""Do the scores on the sample web keep their floors?

    python bench/floors.py                          # check
    python bench/floors.py --update                 # raise floors to what is reached, add those of new tasks
    python bench/floors.py --update --allow-lower   # also lower them: say why in the commit

The webs in tests/quality/floors.json are drawn from seeds that nobody uses while developing. Their digest is kept too:
a score means something only on the same data. Every headline figure of `sitestrata eval` that a workspace answers has a
floor a little below what was reached.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provenance import ROOT, digest

from sitestrata import sample
from sitestrata.evaluate.floors import LOWER_IS_BETTER

FLOORS = ROOT / "tests" / "quality" / "floors.json"
MARGIN = 0.005  # so that a change which turns one page in a thousand does not need a new floor


@dataclass(frozen=True, slots=True)
class Measured:
    """What one web gave."""

    digest: str
    scores: dict[str, float]  # headline figures of the result, by task.metric


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write new floors")
    parser.add_argument("--allow-lower", action="store_true", help="with --update: floors may fall")
    options = parser.parse_args()
    webs = json.loads(FLOORS.read_text(encoding="utf-8"))
    faults: list[str] = []
    for name, web in webs.items():
        measured = measure(web)
        for metric, value in measured.scores.items():
            print(f"{name}  {metric}  {value:.4f}  floor {web['floors'].get(metric, 'none')}")
        if options.update:
            faults += update(name, web, measured, allow_lower=options.allow_lower)
        else:
            faults += faults_of(name, web, measured)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    if options.update:
        FLOORS.write_text(json.dumps(webs, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(web: dict[str, Any]) -> Measured:
    """Generate a web, mine it and score the workspace, by the commands a user types."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "web"
        folder.mkdir()
        # Not compressed: the digest must not depend on the machine's zlib.
        warc = folder / "web.warc"
        sample.write(warc, seed=web["seed"], pages=web["pages"], hard=web["hard"], only=web.get("only", ()))
        truth = sample.truth_folder(warc)
        workspace = Path(scratch) / "ws"
        # Without WordNet, wherever it is installed: scores must not depend on the machine.
        _run("mine", warc, "-o", workspace, "--wordnet", scratch)
        scores = json.loads(_run("eval", workspace, "--gold", truth, "--json"))
        headlines: dict[str, float] = {}
        for score in scores:
            if score.get("headline") and score["system"] == "result":
                headlines[f"{score['task']}.{score['metric']}"] = score["value"]
        return Measured(digest(folder), headlines)


def faults_of(name: str, web: dict[str, Any], measured: Measured) -> list[str]:
    """Say what is wrong: other data, a figure below its floor, a figure that is gone, a figure without floor."""
    if measured.digest != web["digest"]:
        advice = "If that was meant: python bench/floors.py --update --allow-lower"
        return [f"{name}: the sample web is another one ({measured.digest}, pinned {web['digest']}). {advice}"]
    faults = []
    for metric, floor in web["floors"].items():
        value = measured.scores.get(metric)
        if value is None:
            faults.append(f"{name}: {metric} was {floor} or better and is not answered any more.")
        elif _is_worse(metric, value, floor):
            faults.append(f"{name}: {metric} is {value:.4f}, worse than its floor {floor}.")
    faults += [
        f"{name}: {metric} has no floor yet; run: python bench/floors.py --update"
        for metric, value in measured.scores.items()
        if metric not in web["floors"] and _can_be_missed(metric, value)
    ]
    return faults


def update(name: str, web: dict[str, Any], measured: Measured, *, allow_lower: bool) -> list[str]:
    """Set the floors of one web to what was reached; refuse to lower one unless allowed."""
    if not allow_lower:
        faults = [fault for fault in faults_of(name, web, measured) if "no floor yet" not in fault]
        if faults and web["digest"]:
            return [*faults, "Floors were not changed; --allow-lower lowers them."]
    reached = {
        metric: _floor_under(metric, value)
        for metric, value in measured.scores.items()
        if _can_be_missed(metric, value)
    }
    if not allow_lower:
        kept = web["floors"]
        reached = {
            metric: kept[metric] if metric in kept and _is_worse(metric, floor, kept[metric]) else floor
            for metric, floor in reached.items()
        }
    web.update(digest=measured.digest, floors=reached)
    return []


def _is_worse(metric: str, value: float, floor: float) -> bool:
    return value > floor if metric.rpartition(".")[2] in LOWER_IS_BETTER else value < floor


def _can_be_missed(metric: str, value: float) -> bool:
    """Tell whether a floor under a figure says anything: nothing is worse than nothing."""
    return metric.rpartition(".")[2] in LOWER_IS_BETTER or value > MARGIN


def _floor_under(metric: str, value: float) -> float:
    if metric.rpartition(".")[2] in LOWER_IS_BETTER:
        return math.ceil((value + MARGIN) * 1000) / 1000
    if value == 1.0:
        return 1.0
    return math.floor((value - MARGIN) * 1000) / 1000


def _run(*words: object) -> str:
    command = [sys.executable, "-m", "sitestrata", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
