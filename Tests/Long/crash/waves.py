"""Calls disturbed one by one where no run is recorded before: the numbers go up until a call of that number is not reached."""
import concurrent.futures
import contextlib
import itertools
import os
import signal
import subprocess

from crash.points import TRIED, is_error

# Calls that change files or tell somebody something, of those that liveedit makes.
CALLS = ["renameat2", "renameat", "linkat", "unlinkat", "mkdirat", "fsync", "fdatasync", "pwrite64", "write", "ftruncate"]

# Those that read, look and lock, which fail with EIO alone.
READING = ["openat", "read", "pread64", "newfstatat", "fstat", "statx", "getdents64", "flock", "fcntl", "readlinkat"]


# The ways in which they are disturbed.
KINDS = list(dict.fromkeys(TRIED["changing"] + TRIED["reading"]))


def about(folder, names):
    """The words for strace that leave out calls which are not about these files of a folder: they are opened by their names there, and known
    by their paths from then on."""
    known = dict.fromkeys([folder, *(word for name in names for word in (os.path.join(folder, name), name, os.path.basename(name)))])
    return [word for path in known for word in ("-P", path)]


def names_below(folder):
    """The names of all files and folders below a folder."""
    return [os.path.relpath(os.path.join(path, name), folder) for path, folders, files in os.walk(folder) for name in folders + files]


def stop(process):
    """Ends a process that began a session, and all that it has started: kindly, so that strace writes what it saw, and then by force."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(5)


def try_all(calls, kinds, disturb, jobs):
    """Disturbs each call in each way, several at once; returns the number of points and what was lost.

    disturb(call, kind, number) returns whether anything was disturbed, and what is wrong then.
    """
    points, lost = 0, []
    # Nothing can be told where nothing can be written.
    left = [(call, kind) for call in calls for kind in TRIED["reading" if call in READING else "changing"]
            if kind in kinds and (call != "write" or not is_error(kind))]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for start in itertools.count(1, 4):
            if not left:
                return points, lost
            numbers = range(start, start + 4)
            waiting = {(*series, number): pool.submit(disturb, *series, number) for series in left for number in numbers}
            for (call, kind, number), done in waiting.items():
                is_disturbed, problems = done.result()
                points += is_disturbed
                lost += [f"{call} {kind} {number}: {problem}" for problem in problems]
                # Behind the last call no other one is hit.
                if not is_disturbed and (call, kind) in left:
                    left.remove((call, kind))
