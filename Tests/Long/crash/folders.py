"""Runs commands in folders and compares folders as a user sees them, for the tests that disturb liveedit."""
import collections
import ctypes
import hashlib
import json
import os
import re
import signal
import stat
import subprocess
import tempfile
import time

TIMEOUT = 30


class Lost(Exception):
    """A point at which an error occurred."""


Outcome = collections.namedtuple("Outcome", "status out err")


def adopt_orphans(wanted=True):
    """Makes this process the parent of helpers whose own parent was killed, so that it can wait for them, or stops doing so."""
    ctypes.CDLL(None, use_errno=True).prctl(36, int(wanted), 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def run(command, environment=None):
    """Runs a command, and waits for it and for any processes that it leaves behind."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                                   env=os.environ | (environment or {}))
        try:
            status = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Lost(f"{' '.join(command)} hung")
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    time.sleep(0.002)
            except ChildProcessError:
                break
        else:
            os.killpg(process.pid, signal.SIGKILL)
            raise Lost(f"{' '.join(command)} left a process running that does not end")
        out.seek(0)
        err.seek(0)
        return Outcome(status, out.read().decode(errors="replace"), err.read().decode(errors="replace"))


def is_explained(said, is_lasting=False):
    """Whether a failure is reported in one sentence per file. More sentences are allowed if calls keep failing, and for a block, which
    also names the unedited files and prints a summary. Messages about an earlier, interrupted run that this run finished are allowed
    too, and so are messages about repairs done before the failure."""
    lines = [line for line in said.splitlines()
             if not re.match(r"(stopped: )?\d+ .*, \d+ in total in |(failed|removed from [^:]*|resume with|undo with): ", line)]
    told = [line for line in lines
            if not re.search("interrupted (edit|move)|; moved its history to the new name|; kept it as |kept the damaged |rebuilt the catalogue|restored marks"
                             "|this batch cannot be resumed", line)]
    blocks = [line for line in told if line.startswith("liveedit: nothing was ")]
    files = {line.split(": ")[1] for line in told if line not in blocks}
    sentences = len(told) - len(blocks)
    return (all(line.startswith("liveedit: ") for line in lines) and 0 < len(files) <= sentences
            and (is_lasting or sentences == len(files)) and len(blocks) <= 1)


def is_version(name):
    """Whether a hidden name belongs to a version. The number of these names depends on how far the disturbed run got, and
    `liveedit check` reports whether each of them is recorded."""
    return name.startswith(".liveedit/versions")


def litter(folder):
    """The hidden names that do not belong to a version. Each interrupted repair may leave a copy of the catalogue; the copies count as one."""
    names = [name for name in hidden(folder) if not is_version(name)]
    return [name for at, name in enumerate(names) if ".before-repair-" not in name or name not in names[:at]]


def bytes_below(folder):
    """The bytes of all files below a folder in which other processes may be working."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except FileNotFoundError:
                continue
    return total


EDIT_TIME = re.compile(rb"\s*<key>adjustmentTimestamp</key>\s*<date>[^<]*</date>")


def visible(folder, prefix=""):
    """The files that a user sees, with their names, permissions and bytes, including files in the folders for -o and for presets and
    in new folders. Adjustment data are compared without the time of the edit."""
    files = {}
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith(".") and (prefix or entry.name in ("out", "config")):
                files |= visible(entry.path, prefix + entry.name + "/")
        elif not entry.name.startswith("."):
            with open(entry.path, "rb") as file:
                content = file.read()
            if entry.name.endswith(".AAE"):
                content = EDIT_TIME.sub(b"", content)
            files[prefix + entry.name] = (entry.stat().st_mode, content)
    return files


def digest(folder):
    """A digest of all names, permissions and bytes, including hidden files."""
    found = hashlib.sha256()
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files + folders):
            entry = os.path.join(path, name)
            mode = os.lstat(entry).st_mode
            content = b""
            if stat.S_ISLNK(mode):
                content = os.readlink(entry).encode()
            elif stat.S_ISREG(mode):
                with open(entry, "rb") as file:
                    content = file.read()
            found.update(repr((os.path.relpath(entry, folder), mode, len(content))).encode() + content)
    return found.digest()


def answers(text):
    """The objects of a --json output, without the last one, which is the summary."""
    return [answer for answer in map(json.loads, text.splitlines()) if answer["status"] != "summary"]


def observed(liveedit, folder):
    """The marks, the albums and the versions of every asset that liveedit reports for a folder, or None if it refuses."""
    def lines(*words):
        outcome = run([liveedit, *words, "--json", folder])
        return answers(outcome.out) if outcome.status == 0 else None

    assets = lines("list", "--hidden")
    if assets is None:
        return None
    marks = sorted((os.path.basename(a["file"]), a["favourite"], a["hidden"], a["edited"]) for a in assets)
    albums = lines("album", "list")
    albums = albums and sorted((a["album"], tuple(a["assets"])) for a in albums)
    versions = {}
    for asset in assets:
        outcome = run([liveedit, "history", "--json", asset["file"]])
        told = answers(outcome.out)
        versions[os.path.basename(asset["file"])] = [
            (t.get("current"), sorted(v.get("number", 0) for v in t.get("versions", []))) for t in told]
    return marks, albums, versions


def hidden(folder):
    """The names of all hidden files, without their numbers. The index is a cache and may or may not exist."""
    found = []
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            name = os.path.relpath(os.path.join(path, name), folder)
            if (name.startswith(".") or "/." in name) and not name.startswith(".liveedit/index.sqlite"):
                found.append(re.sub(r"[0-9a-fA-F]*\d[0-9a-fA-F]*", "#", name))
    return sorted(found)


def names(files):
    return ", ".join(sorted(files)) or "nothing"
