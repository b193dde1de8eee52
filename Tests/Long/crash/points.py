"""What can be disturbed: the calls of a recorded run with their numbers, and how strace is told to disturb one."""
import collections
import json
import os
import re
import shutil

from crash.order import named_paths, recorded_calls

# The calls that change files, or tell somebody something; openat is one of them where it makes a file.
CALLS = """write writev pwrite64 pwritev pwritev2 sendto sendmsg sendfile copy_file_range splice
rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat rmdir mkdir mkdirat
truncate ftruncate fallocate fsync fdatasync sync_file_range syncfs msync
chmod fchmod fchmodat chown fchown fchownat utimensat openat""".split()
# Those that read, look and lock.
READING = """read readv pread64 preadv preadv2 recvfrom newfstatat fstat stat lstat statx access faccessat faccessat2
readlink readlinkat getdents64 statfs fstatfs flock fcntl lseek mmap""".split()
# Those that want something of the system which it may be short of: processes, threads, pipes, files in memory, room to wait. Memory
# itself is left out: a program in Swift that gets none ends, which is one more kill.
RESOURCES = "clone clone3 vfork socketpair pipe2 socket connect recvmsg poll ppoll memfd_create inotify_init1 inotify_add_watch getcwd".split()
ERRORS = ["EIO", "ENOSPC", "EACCES", "EMFILE", "EAGAIN", "ENOMEM"]
DISTURBANCES = {"before": "signal=KILL", "after": "signal=USR1", **{name: "error=" + name for name in ERRORS}}
# Those that are tried: of calls that change something, of those that read, of openat where it only opens, and of those that want something.
TRIED = {"changing": ["before", "after", "EIO", "ENOSPC"], "reading": ["EIO"], "opening": ["EIO", "EACCES", "EMFILE"],
         "wanting": ["EAGAIN", "ENOMEM", "EMFILE"]}
# Those whose quoted words are data and no names.
DATA = """read readv pread64 preadv preadv2 recvfrom recvmsg write writev pwrite64 pwritev pwritev2 sendto sendmsg""".split()
# `changes` tells calls that change something from those that read; `numbers` are those that a recording has.
Series = collections.namedtuple("Series", "scenario process call kind changes numbers", defaults=[()])


def is_error(kind):
    """Whether a disturbance lets a call fail; the others end the process."""
    return kind not in ("before", "after")


def injection(call, kind, number):
    """The words for strace that disturb a call; a kind that ends with + disturbs all later ones of its thread as well."""
    return ["-e", "trace=" + call, "-e", f"inject={call}:{DISTURBANCES[kind]}:when={number}{'+' if kind.endswith('+') else ''}"]


def try_only(errors):
    """Lets these errors be tried alone, of every call."""
    DISTURBANCES.update({name: "error=" + name.removesuffix("+") for name in errors})
    for use in TRIED:
        TRIED[use] = errors


def use_of(call, arguments):
    """What a call is for, as a key of TRIED; None where failing it says nothing about files."""
    if call == "openat":
        return "changing" if "O_CREAT" in arguments else "opening"
    if call == "mmap" and "<" not in arguments:
        return None  # memory
    if call in RESOURCES:
        return "wanting"
    return "changing" if call in CALLS else "reading" if call in READING else None


def recording(log):
    """The beginning of a line that records a command, but not the programs that it starts."""
    return ["strace", "-f", "-b", "execve", "-ttt", "-y", "-s", "1000000", "-o", log,
            "-e", "trace=" + ",".join(CALLS + READING + RESOURCES + ["execve"])]


def hand_over(programs, job, log, options=("-ttt", "-y", "-s", "1000000", "-e", "trace=" + ",".join(CALLS + READING)), both=False):
    """Tells the stand-in for the helper what to do; job 0 records all."""
    with open(os.path.join(programs, "disturb"), "w") as file:
        json.dump({"job": job, "log": log, "options": options, "both": both, "strace": shutil.which("strace")}, file)


def take_back(programs):
    """Leaves helpers undisturbed again."""
    for name in os.listdir(programs):
        if name.startswith("disturb"):
            os.remove(os.path.join(programs, name))


def merge(traces, merged):
    """Makes one trace of those of several processes, in the order of time, which the traces say and this one does not."""
    lines = []
    for trace in traces:
        with open(trace, errors="replace") as file:
            for line in file:
                pid, time, text = line.split(None, 2)
                lines.append((float(time), f"{pid} {text}"))
    with open(merged, "w") as file:
        file.writelines(line for _, line in sorted(lines, key=lambda line: line[0]))


def numbered(trace, folder=None):
    """The calls of one process from its trace, as (use, call, files, number), each once. strace counts by thread and name.

    Of a command, `folder` leaves out what comes before the first call that is about that folder: its start, which is the
    loader's and the runtimes' business. So are the calls of its other threads that have numbers of the start: disturbing them
    would disturb the start. What another program does between its fork and its execve is left out too.
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
            # A search through the data takes longer than all else.
            words = arguments.partition('"')[0] if call in DATA else arguments
            found.add((use, call, files_of(words), counts[pid, call]))
    return found


def files_of(arguments):
    """The files that a call is about, without the numbers in their names: those of other versions, processes and jobs are alike."""
    names = set(re.findall("<([^>]*)>", arguments)) | set(named_paths(arguments))
    return tuple(sorted({re.sub("[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}|[0-9]+", "#", name) for name in names}))


def first_and_last(calls):
    """Of calls by one name on the same files the first and the last one."""
    groups = collections.defaultdict(list)
    for use, call, files, number in calls:
        groups[use, call, files].append(number)
    return {(*group, number) for group, numbers in groups.items() for number in (min(numbers), max(numbers))}


def hit_call(log, series):
    """The call that was disturbed, from the trace of a disturbed run; None where none was."""
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
