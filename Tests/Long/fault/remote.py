"""Faults of a file system on another computer, simulated with FUSE."""
import errno
import os
import shutil
import tempfile

from crash.folders import Lost, run
from crash.scenario import STEM
from fault.arrivals import place, watch
from fault.kind import Kind, mount_reason
from fault.passthrough import FLOCK, POSIX, READING, WRITING, Passthrough


def fuse_reason():
    """The reason why no FUSE file system can be mounted here, or None if it can."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Passthrough(folder, folder)
        try:
            shown.begin()
        except OSError as error:
            return f"no FUSE file system can be mounted here: {error.strerror}"
        shown.end()
    return None


class Remote(Kind):
    """A file system that another computer serves, as far as FUSE can simulate it."""

    def reason(self):
        return mount_reason() or fuse_reason()

    def begin(self, context):
        super().begin(context)
        self.backing = os.path.join(context.place, "backing")
        self.target = os.path.dirname(self.folder)
        os.makedirs(self.backing)
        self.shown = None

    def show(self, **errors):
        """Mounts it again."""
        self.end()
        self.shown = Passthrough(self.backing, self.target)
        for what, code in errors.items():
            self.shown.fail({"flock": FLOCK, "posix": POSIX}[what], code)
        self.shown.begin()

    def end(self):
        if self.shown:
            self.shown.end()
            self.shown = None

    def fresh(self, scenario):
        shutil.rmtree(os.path.join(self.backing, "folder"), ignore_errors=True)
        shutil.copytree(scenario.start, os.path.join(self.backing, "folder"), symlinks=True)

    def faults(self):
        return ["EROFS", "EDQUOT", "EIO", "ESTALE"]

    def point(self, scenario, name, delay):
        self.fresh(scenario)
        self.show()
        code = getattr(errno, name)

        def fault():
            self.shown.fail(WRITING, code)
            if name in ("EIO", "ESTALE"):
                self.shown.fail(READING, code)

        outcome, was_early = self.disturb(scenario, fault, delay)
        for what in (WRITING, READING):
            self.shown.fail(what, 0)
        self.words(scenario, outcome)
        state = scenario.judged(outcome, self.folder)
        return state if was_early else "after the end: " + state


class NoLocks(Remote):
    LOCKS = {"no flock": {"flock": errno.EOPNOTSUPP}, "no record locks": {"posix": errno.ENOLCK},
             "record locks not supported": {"posix": errno.EOPNOTSUPP}, "no locks at all": {"flock": errno.ENOLCK, "posix": errno.ENOLCK}}

    def point(self, scenario, name):
        self.fresh(scenario)
        self.show(**self.LOCKS[name])
        outcome = run(scenario.line(scenario.command, self.folder))
        # Back on a file system with locks.
        self.show()
        self.words(scenario, outcome)
        if outcome.status == 1 and "without file locks" not in outcome.err:
            raise Lost(f"it does not say that there are no locks: “{outcome.err.strip()}”")
        return ("done: " if outcome.status == 0 else "refused: ") + scenario.judged(outcome, self.folder)

    def points(self):
        for scenario in self.chosen():
            for name in self.LOCKS:
                yield self.tried(scenario, name, lambda: self.point(scenario, name))


class Watch(Remote):
    def points(self):
        inside = os.path.join(self.backing, "folder")
        os.makedirs(inside)
        self.show()
        yield "watch", "arrivals by another computer", *watch(self.context, self.folder, lambda: place(inside, STEM), 40)
        self.end()
        if not shutil.which("strace"):
            return
        for call, code in (("inotify_init1", "ENOSYS"), ("inotify_init1", "EMFILE"), ("inotify_add_watch", "ENOSPC"), ("inotify_add_watch", "ENOSYS")):
            folder = tempfile.mkdtemp(dir=self.context.place)
            trace = ["strace", "-f", "-b", "execve", "-o", os.devnull, "-e", "trace=" + call, "-e", f"inject={call}:error={code}"]
            yield "watch", f"{call} {code}", *watch(self.context, folder, lambda: place(folder, STEM), 40, trace)
