"""Stands in for liveedit-render in scripts/crash-test: runs the real one, its argument, under strace.

CRASH_CALL and CRASH_INJECT name the call and what happens to it, CRASH_LOG the trace. With CRASH_HALF (photo or
movie) only calls on that half's output count; with CRASH_BOTH whoever started the helper is killed right after it.
"""
import json
import os
import subprocess
import sys
import threading

real = sys.argv[1]
want = os.environ
job = b""
while not job.endswith(b"\n"):
    byte = os.read(0, 1)
    if not byte:
        break
    job += byte


def output(value):
    """The path that the job names as the half's output, wherever in the job it is."""
    if isinstance(value, dict):
        if want["CRASH_HALF"] in value:
            return value[want["CRASH_HALF"]]["output"]
        return next(filter(None, map(output, value.values())), None)


path = (output(json.loads(job)) or "/none") if want["CRASH_HALF"] else ""
# The file is made by its name in an open folder, and known by its path from then on.
only = ["-P", path, "-P", os.path.basename(path)] if path else []
tracer = subprocess.Popen(["strace", "-f", "-o", want["CRASH_LOG"]] + only
                          + ["-e", "trace=" + want["CRASH_CALL"], "-e", want["CRASH_INJECT"], real], stdin=subprocess.PIPE)


def relay():
    """Hands on the job, and the end of the input when it comes."""
    data = job
    while data:
        try:
            tracer.stdin.write(data)
            tracer.stdin.flush()
        except OSError:
            return
        data = os.read(0, 65536)
    tracer.stdin.close()


parent = os.getppid()
threading.Thread(target=relay, daemon=True).start()
status = tracer.wait()
if status < 0:
    if want["CRASH_BOTH"]:
        os.kill(parent, 9)
    os.kill(os.getpid(), -status)
os._exit(status)
