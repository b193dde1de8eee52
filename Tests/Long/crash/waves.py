"""Disturbs calls one by one without an earlier recording: the numbers increase until no call has that number."""
import concurrent.futures
import contextlib
import itertools
import os
import signal
import subprocess

from crash.points import TRIED, is_error

# The calls of liveedit that change files or send data.
CALLS = ["renameat2", "renameat", "linkat", "unlinkat", "mkdirat", "fsync", "fdatasync", "pwrite64", "write", "ftruncate"]

# The calls that read, inspect and lock; they fail only with EIO.
READING = ["openat", "read", "pread64", "newfstatat", "fstat", "statx", "getdents64", "flock", "fcntl", "readlinkat"]


# The kinds of disturbance.
KINDS = list(dict.fromkeys(TRIED["changing"] + TRIED["reading"]))


def about(folder, names):
    """The strace options that select calls on these files of a folder: the files are opened by their names in the folder, and
    strace reports their paths from then on."""
    known = dict.fromkeys([folder, *(word for name in names for word in (os.path.join(folder, name), name, os.path.basename(name)))])
    return [word for path in known for word in ("-P", path)]


def names_below(folder):
    """The names of all files and folders below a folder."""
    return [os.path.relpath(os.path.join(path, name), folder) for path, folders, files in os.walk(folder) for name in folders + files]


def stop(process):
    """Ends a process that began a session, and all processes that it started: first gently, so that strace can write its log, then by force."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(5)


def try_all(calls, kinds, disturb, jobs):
    """Disturbs each call in each way, several at once; returns the number of points and the lost ones.

    disturb(call, kind, number) returns whether a call was disturbed, and the error if any.
    """
    points, lost = 0, []
    # A disturbance of writing prevents error messages.
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
                # No later call can be hit once a number is not reached.
                if not is_disturbed and (call, kind) in left:
                    left.remove((call, kind))
