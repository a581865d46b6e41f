"""Where a figure comes from: command, commit, machine (cores and Python only), digest of the data."""

import hashlib
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

__all__ = ["command_line", "commit", "digest", "machine", "own_command"]

CHUNK = 1 << 20
ROOT = Path(__file__).resolve().parent.parent


def commit() -> str:
    """Return the short commit of the working tree, marked when files differ from it."""
    head = _git("rev-parse", "--short=12", "HEAD")
    return f"{head} with local changes" if _git("status", "--porcelain", "--", "src", "bench") else head


def machine() -> str:
    """Say how many cores and which Python, and nothing that names the machine."""
    return f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of the sorted names and digests of a folder's files, shortened to 16 digits."""
    if path.is_dir():
        lines = [f"{file.relative_to(path)} {digest(file)}\n" for file in sorted(path.rglob("*")) if file.is_file()]
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            hasher.update(chunk)
    return hasher.hexdigest()[:16]


def own_command(*, leave_out: Collection[str] = ()) -> str:
    """Return the command line of this process, as `command_line` writes it, without words that do not matter."""
    script = Path(sys.argv[0])
    shown = f"bench/{script.name}" if script.resolve().parent == ROOT / "bench" else script.name
    return command_line(["python", shown, *(word for word in sys.argv[1:] if word not in leave_out)])


def command_line(words: list[str]) -> str:
    """Write a command so that it can be pasted elsewhere: folders of data by the name of their variable."""
    folders = {os.environ[name].rstrip("/"): f"${name}" for name in ("CORPORA", "SCRATCH") if os.environ.get(name)}
    shown = []
    for word in words:
        for folder, variable in folders.items():
            if word == folder or word.startswith(folder + "/"):
                word = variable + word[len(folder) :]
                break
        else:
            word = shlex.quote(word)
        shown.append(word)
    return " ".join(shown)


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() or ("" if words[0] == "status" else "unknown")
