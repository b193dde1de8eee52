"""Permissions that change while a command runs."""
import contextlib
import os

from crash.scenario import STEM
from fault.kind import Kind

NOBODY = 65534


class Permission(Kind):
    def reason(self):
        if os.geteuid() != 0:
            return None
        child = os.fork()
        if child == 0:
            try:
                self.become_nobody()
                os._exit(0 if os.access(__file__, os.R_OK) else 1)
            finally:
                os._exit(1)
        return None if os.waitpid(child, 0)[1] == 0 else (
            "root cannot switch to a user who may read this checkout; run this kind alone as such a user")

    def become_nobody(self):
        """Continues as another user, since root may do everything."""
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    def begin(self, context):
        super().begin(context)
        if os.geteuid() == 0:
            os.chmod(context.place, 0o755)
            for path, _, files in os.walk(context.place):
                for name in [path] + [os.path.join(path, file) for file in files]:
                    os.chown(name, NOBODY, NOBODY)
            self.become_nobody()
        os.environ["HOME"] = context.place

    def faults(self):
        return ["the folder read-only", "the folder closed", "the hidden folder read-only", "the hidden folder closed", "the photo closed",
                "the movie closed"]

    def change(self, name):
        """The paths whose permissions change, and their new permissions."""
        mode = 0o555 if "read-only" in name else 0
        if "the hidden" in name:
            paths = [os.path.join(path, d) for path, folders, _ in os.walk(self.folder) for d in folders if d.startswith(".liveedit")]
        elif "folder" in name:
            paths = [self.folder]
        else:
            paths = [os.path.join(self.folder, STEM + (".JPG" if "photo" in name else ".MOV"))]
        return paths, mode

    def point(self, scenario, name, delay):
        self.fresh(scenario)
        before = {}

        def fault():
            paths, mode = self.change(name)
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    old = os.stat(path).st_mode & 0o7777
                    os.chmod(path, mode)
                    before[path] = old

        outcome, was_early = self.disturb(scenario, fault, delay)
        for path, mode in reversed(before.items()):
            with contextlib.suppress(FileNotFoundError):
                os.chmod(path, mode)
        self.words(scenario, outcome)
        state = scenario.judged(outcome, self.folder)
        return state if was_early and before else "untouched: " + state
