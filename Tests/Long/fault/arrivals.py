"""Makes photos arrive in a folder that is watched."""
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time

from crash.scenario import PROJECT, STEM


def place(folder, stem):
    """Copies a Live Photo into a folder."""
    for extension in (".JPG", ".MOV"):
        shutil.copyfile(os.path.join(PROJECT, "Fixtures", STEM + extension), os.path.join(folder, stem + extension))


def watch(context, folder, arrive, seconds, prefix=()):
    """Whether `watch` processes what arrives, or reports that it cannot; returns the outcome and the error if any."""
    environment = os.environ | {"XDG_STATE_HOME": tempfile.mkdtemp(dir=context.place)}
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([*prefix, os.path.join(context.programs, "liveedit"), "watch", "--verify", folder], stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=out, env=environment, start_new_session=True)
        try:
            time.sleep(1.5)
            arrive()
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                out.seek(0)
                said = out.read()
                if any(STEM in line and not line.startswith("liveedit: ") for line in said.splitlines()):
                    return "dealt with", None
                if process.poll() is not None:
                    break
                time.sleep(0.2)
        finally:
            # strace waits for the process that it traces.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        out.seek(0)
        said = out.read().strip()
        failures = [line for line in said.splitlines() if line.startswith("liveedit: ") and "watching" not in line]
        if failures:
            return "reported that it cannot", None
        return "lost", f"no result within {seconds} s, and no message about it: “{said}”, exit {process.returncode}"
