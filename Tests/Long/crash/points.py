"""The calls that can be disturbed: those of a recorded run with their numbers, and the options that make strace disturb one."""
import collections
import json
import os
import re
import shutil

from crash.order import named_paths, recorded_calls

# The calls that change files or send data; openat is one of them if it creates a file.
CALLS = """write writev pwrite64 pwritev pwritev2 sendto sendmsg sendfile copy_file_range splice
rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat rmdir mkdir mkdirat
truncate ftruncate fallocate fsync fdatasync sync_file_range syncfs msync
chmod fchmod fchmodat chown fchown fchownat utimensat openat""".split()
# The calls that read, inspect and lock.
READING = """read readv pread64 preadv preadv2 recvfrom newfstatat fstat stat lstat statx access faccessat faccessat2
readlink readlinkat getdents64 statfs fstatfs flock fcntl lseek mmap""".split()
# The calls that request a system resource that may run short: processes, threads, pipes, files in memory, waiting. Memory
# itself is left out: a Swift program that gets no memory ends, which is just another kill.
RESOURCES = "clone clone3 vfork socketpair pipe2 socket connect recvmsg poll ppoll memfd_create inotify_init1 inotify_add_watch getcwd".split()
ERRORS = ["EIO", "ENOSPC", "EACCES", "EMFILE", "EAGAIN", "ENOMEM"]
DISTURBANCES = {"before": "signal=KILL", "after": "signal=USR1", **{name: "error=" + name for name in ERRORS}}
# The disturbances that are tried: for calls that change something, for calls that read, for openat without a new file, and for calls that request a resource.
TRIED = {"changing": ["before", "after", "EIO", "ENOSPC"], "reading": ["EIO"], "opening": ["EIO", "EACCES", "EMFILE"],
         "wanting": ["EAGAIN", "ENOMEM", "EMFILE"]}
# The calls whose quoted arguments are data rather than names.
DATA = """read readv pread64 preadv preadv2 recvfrom recvmsg write writev pwrite64 pwritev pwritev2 sendto sendmsg""".split()
# `changes` distinguishes calls that change something from those that read; `numbers` are the call numbers in the recording.
Series = collections.namedtuple("Series", "scenario process call kind changes numbers", defaults=[()])


def is_error(kind):
    """Whether a disturbance makes a call fail; the other disturbances end the process."""
    return kind not in ("before", "after")


def injection(call, kind, number):
    """The strace options that disturb a call; a kind that ends with + also disturbs all later calls of that name in its thread."""
    return ["-e", "trace=" + call, "-e", f"inject={call}:{DISTURBANCES[kind]}:when={number}{'+' if kind.endswith('+') else ''}"]


def try_only(errors):
    """Restricts the trial to these errors, for every call."""
    DISTURBANCES.update({name: "error=" + name.removesuffix("+") for name in errors})
    for use in TRIED:
        TRIED[use] = errors


def use_of(call, arguments):
    """The purpose of a call, as a key of TRIED, or None if its failure says nothing about files."""
    if call == "openat":
        return "changing" if "O_CREAT" in arguments else "opening"
    if call == "mmap" and "<" not in arguments:
        return None  # memory
    if call in RESOURCES:
        return "wanting"
    return "changing" if call in CALLS else "reading" if call in READING else None


def recording(log):
    """The beginning of a command line that records a command, but not the programs that it starts."""
    return ["strace", "-f", "-b", "execve", "-ttt", "-y", "-s", "1000000", "-o", log,
            "-e", "trace=" + ",".join(CALLS + READING + RESOURCES + ["execve"])]


def hand_over(programs, job, log, options=("-ttt", "-y", "-s", "1000000", "-e", "trace=" + ",".join(CALLS + READING)), both=False):
    """Instructs the script that replaces the helper; job 0 records all helpers."""
    with open(os.path.join(programs, "disturb"), "w") as file:
        json.dump({"job": job, "log": log, "options": options, "both": both, "strace": shutil.which("strace")}, file)


def take_back(programs):
    """Stops disturbing helpers."""
    for name in os.listdir(programs):
        if name.startswith("disturb"):
            os.remove(os.path.join(programs, name))


def merge(traces, merged):
    """Merges the traces of several processes into one, in order of the times in the traces, and drops the times."""
    lines = []
    for trace in traces:
        with open(trace, errors="replace") as file:
            for line in file:
                pid, time, text = line.split(None, 2)
                lines.append((float(time), f"{pid} {text}"))
    with open(merged, "w") as file:
        file.writelines(line for _, line in sorted(lines, key=lambda line: line[0]))


def numbered(trace, folder=None):
    """The calls of one process from its trace, as (use, call, files, number), each one once. strace counts by thread and name.

    For a command, the calls before the first one that concerns `folder` are left out: they belong to its start, to the
    loader and the runtimes. Calls of its other threads that share a number with a call of the start are left out too, because
    disturbing them would disturb the start. Calls of another program between its fork and its execve are also left out.
    """
    calls = list(recorded_calls(trace, timed=True))
    threads = {pid for pid, *_ in calls[:1]} | {answer for _, call, arguments, answer in calls
                                                if call.startswith("clone") and "CLONE_THREAD" in arguments}
    counts, start = collections.Counter(), collections.Counter()
    found = set()
    has_begun = folder is None
    for pid, call, arguments, _ in calls:
        has_begun = has_begun or call != "execve" and folder in arguments
        counts[pid, call] += 1
        if not has_begun:
            start[call] = max(start[call], counts[pid, call])
            continue
        use = use_of(call, arguments)
        if use and counts[pid, call] > start[call] and (folder is None or pid in threads):
            # Searching the data takes longer than everything else.
            words = arguments.partition('"')[0] if call in DATA else arguments
            found.add((use, call, files_of(words), counts[pid, call]))
    return found


def files_of(arguments):
    """The files that a call concerns, without the numbers in their names, so that other versions, processes and jobs look alike."""
    names = set(re.findall("<([^>]*)>", arguments)) | set(named_paths(arguments))
    return tuple(sorted({re.sub("[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}|[0-9]+", "#", name) for name in names}))


def first_and_last(calls):
    """The first and the last of the calls of one name on the same files."""
    groups = collections.defaultdict(list)
    for use, call, files, number in calls:
        groups[use, call, files].append(number)
    return {(*group, number) for group, numbers in groups.items() for number in (min(numbers), max(numbers))}


def hit_call(log, series):
    """The disturbed call in the trace of a disturbed run, or None if no call was disturbed."""
    if not os.path.exists(log):
        return None
    with open(log, errors="replace") as file:
        lines = file.read().splitlines()
    mark = "(INJECTED)" if is_error(series.kind) else "+++ killed by SIG"
    for index, text in enumerate(lines):
        if mark in text:
            calls = [t for t in lines[:index + 1] if series.call + "(" in t]
            return calls[-1] if calls else text
    return None
