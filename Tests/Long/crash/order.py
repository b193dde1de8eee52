"""Reads the calls that strace recorded and checks whether their order is safe if the power fails."""
import collections
import os
import re


def recorded_calls(trace, timed=False):
    """The calls in a trace by strace -f, or by strace -f -ttt, at the moment they returned: process, name, arguments, result."""
    unfinished = {}
    with open(trace, errors="replace") as file:
        for line in file:
            pid, _, text = line.rstrip("\n").partition(" ")
            text = text.lstrip()
            if timed:
                text = text.partition(" ")[2]
            if text.endswith("<unfinished ...>"):
                unfinished[pid] = text[:-len("<unfinished ...>")].rstrip()
                continue
            resumed = re.match(r"<\.\.\. \w+ resumed>", text)
            if resumed:
                text = unfinished.pop(pid, "") + text[resumed.end():]
            match = re.match(r"(\w+)\((.*)\)\s+= (\S+)", text, re.S)
            if match:
                yield pid, match[1], match[2], match[3]


PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')


def named_paths(arguments):
    """The paths among a call's arguments; a name relative to an open folder is joined to that folder."""
    return [os.path.join(folder, name) for folder, name in PATH.findall(arguments)]


def order_problems(trace, folder, published):
    """Replays recorded calls as a disk that loses power would see them. Returns what could be lost, and the number of moves.

    `published` is the folder that receives the new files.
    """
    dirty, pending, mentions = set(), collections.defaultdict(set), {}
    problems, steps, records, changed = [], 0, None, set()
    touched = set()  # folders in which moves changed names that are not durable yet

    def entry(path):
        pending[os.path.dirname(path)].add(os.path.basename(path))

    def is_visible(path):
        return os.path.dirname(path) == published and not os.path.basename(path).startswith(".")

    moves = [arguments for _, call, arguments, answer in recorded_calls(trace)
             if answer == "0" and call.startswith(("rename", "link", "unlink"))
             and any(is_visible(p) for p in named_paths(arguments))]
    if not moves:
        return ["no file was published"], 0
    first_names = {os.path.basename(p) for p in named_paths(moves[0]) if is_visible(p)}

    def change(path):
        """Checks a change to, or the removal of, a file that may be the record of the change."""
        if records is not None and path in records:
            if touched or steps < len(moves):
                changed.add(path)

    for _, call, arguments, answer in recorded_calls(trace):
        if answer.startswith("-") or answer == "?":
            continue
        # Searching the data of other calls takes longer than everything else.
        is_named = call.startswith(("openat", "mkdir", "rename", "link", "unlink", "rmdir"))
        paths = [os.path.join(published, p) for p in named_paths(arguments)] if is_named else []
        handle = re.match(r"\d+<([^>]*)>", arguments)
        handle = handle and handle[1]
        if call == "openat":
            if "O_CREAT" in arguments and paths[0].startswith(folder + "/"):
                entry(paths[0])
        elif call.startswith(("write", "pwrite", "ftruncate", "fallocate", "sendfile", "copy_file_range")):
            if handle and handle.startswith(folder + "/"):
                change(handle)
                dirty.add(handle)
                if any(name in arguments for name in first_names):
                    mentions[handle] = True
        elif call in ("fsync", "fdatasync"):
            dirty.discard(handle)
            pending.pop(handle, None)
            touched.discard(handle)
        elif call.startswith("mkdir"):
            entry(paths[0])
        elif call.startswith(("rename", "link", "unlink", "rmdir")):
            mine = any(is_visible(p) for p in paths)
            if mine and records is None:
                records = {p for p in mentions if p not in dirty and not is_visible(p)}
                if not records:
                    problems.append("no durable record of the change before the first move")
                for place, left in pending.items():
                    # A cache can be recreated.
                    left = left - {"cache"}
                    if left and place.startswith(folder) and any(record.startswith(place + "/") for record in records):
                        problems.append(f"names in {os.path.relpath(place, folder)} are not durable before the first move: {', '.join(sorted(left))}")
            if not mine:
                change(paths[0])
            if call.startswith(("rename", "link")):
                source, target = paths[0], paths[1]
                if mine and source in dirty:
                    problems.append(f"{os.path.basename(target)} is published before its data is durable")
                if call.startswith("rename"):
                    if source in dirty:
                        dirty.discard(source)
                        dirty.add(target)
                    if mentions.pop(source, None):
                        mentions[target] = True
                    entry(source)
                entry(target)
            else:
                mentions.pop(paths[0], None)
                dirty.discard(paths[0])
                entry(paths[0])
            if mine:
                steps += 1
                touched |= {os.path.dirname(p) for p in paths[:2]}
    if records and changed >= records:
        problems.append("the record of the change is removed before the moves are durable")
    if touched:
        problems.append(f"never durable: {', '.join(os.path.relpath(p, folder) for p in touched)}")
    return problems, steps
