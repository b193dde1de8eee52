"""Replaces liveedit-render in Tests/Long/crash/crash-test: runs the real one, its first argument, under strace.

Helpers start without an environment, so a file, the second argument, contains the instructions: a call, the disturbance,
the trace, and the number of the job whose helper is meant. Jobs are counted as they arrive, since a helper that was
started ahead of time may never receive one. Only calls on the files that the job names, and on the helper's own input and
output, are traced and counted. The script forks copies of itself as the real helper does (FileSystem/ForkServer). With `both`,
the process that started the helper is killed right after it. With the number 0 no helper is disturbed, and each one writes its
own trace.
"""
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading


def tell(state, number):
    """Reports a copy's number, or how the copy ended."""
    try:
        if state:
            state.send(struct.pack("i", number))
    except OSError:
        pass


def serve():
    """Forks a copy for every request; returns in each copy."""
    control = socket.socket(fileno=3)
    ended, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    copies = {}
    while True:
        open_states = [state for state in copies.values() if state]
        ready = select.select([control, ended, *open_states], [], [])[0]
        for copy, state in list(copies.items()):
            if state in ready:
                try:
                    is_to_be_killed = state.recv(1)
                except OSError:
                    is_to_be_killed = b""
                if is_to_be_killed:
                    os.kill(copy, signal.SIGKILL)
                else:
                    copies[copy] = None  # No further request will come for it.
        if ended in ready:
            os.read(ended, 4096)
            while copies:
                copy, status = os.waitpid(-1, os.WNOHANG)
                if copy == 0:
                    break
                tell(copies.pop(copy), status)
        if control in ready:
            message, (*handed,), _, _ = socket.recv_fds(control, 1, 2)
            if not message:
                os._exit(0)
            copy = os.fork()
            if copy == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.dup2(handed[0], 0)
                os.dup2(handed[0], 1)
                for handle in [control, *open_states]:
                    handle.detach()
                os.closerange(3, 1024)
                return
            os.close(handed[0])
            copies[copy] = socket.socket(fileno=handed[1])
            tell(copies[copy], copy)


real, plan, *arguments = sys.argv[1:]
parent = os.getppid()
if arguments[-1:] == ["--fork-server"]:
    arguments.pop()
    serve()
job = b""
while not job.endswith(b"\n"):
    byte = os.read(0, 1)
    if not byte:
        os._exit(0)
    job += byte
with open(plan) as file:
    want = json.load(file)


def claimed():
    """The number of this job."""
    number = 1
    while True:
        try:
            os.close(os.open(f"{plan}-{number}", os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            number += 1


def paths(value):
    """All paths that a job names, at any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [path for part in value for path in paths(part)]
    return [value] if isinstance(value, str) and value.startswith("/") else []


number = claimed()
is_meant = want["job"] in (0, number)
reading, writing = os.pipe()
command = [real, *arguments]
if is_meant:
    # A file is opened by its path, or by its name in an open folder; from then on strace reports its path.
    named = [name for path in paths(json.loads(job)) for name in (path, os.path.basename(path))]
    named += [os.readlink(f"/proc/self/fd/{handle}") for handle in (reading, 1)]
    log = want["log"] if want["job"] else f"{want['log']}-{number}"
    only = [word for name in dict.fromkeys(named) for word in ("-P", name)]
    command = [want["strace"], "-f", *want["options"], "-o", log, *only, *command]
environment = {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}
tracer = subprocess.Popen(command, stdin=reading, env=environment)
os.close(reading)


def relay():
    """Passes on the job, and the end of the input when it comes."""
    data = job
    while data:
        try:
            os.write(writing, data)
        except OSError:
            return
        data = os.read(0, 65536)
    os.close(writing)


threading.Thread(target=relay, daemon=True).start()
status = tracer.wait()
if status < 0:
    if is_meant and want["both"]:
        os.kill(parent, 9)
    os.kill(os.getpid(), -status)
os._exit(status)
