"""A clock that runs backwards."""
import os
import re
import shutil
import time

from crash.folders import Lost, run
from crash.scenario import PROJECT
from fault.arrivals import place, watch
from fault.kind import PHOTO, YEAR, Kind, tool


class Clock(Kind):
    def reason(self):
        return None if shutil.which("cc") else "cc, which builds the clock, is not installed"

    def begin(self, context):
        super().begin(context)
        library = os.path.join(context.place, "clock.so")
        tool("cc", "-O1", "-shared", "-fPIC", "-o", library, os.path.join(PROJECT, "Tests/Long/fault/clock.c"))
        self.file = os.path.join(context.place, "clock")
        os.environ["LD_PRELOAD"], os.environ["LIVEEDIT_CLOCK"] = library, self.file
        self.set(0)
        told = run(["date", "+%s"]).out
        self.set(YEAR)
        if int(run(["date", "+%s"]).out) - int(told) < YEAR:
            raise Lost("the clock cannot be changed")
        self.set(0)

    def end(self):
        os.environ.pop("LD_PRELOAD", None)

    def set(self, seconds):
        with open(self.file, "w") as file:
            file.write(str(seconds))

    def point(self, scenario, offset, touched):
        self.fresh(scenario)
        if touched:
            # All files have times in the future, including the catalogue.
            for path, folders, files in os.walk(self.folder):
                for name in folders + files:
                    os.utime(os.path.join(path, name), (time.time() + YEAR,) * 2, follow_symlinks=False)
        self.set(offset)
        try:
            outcome = run(scenario.line(scenario.command, self.folder))
        finally:
            self.set(0)
        if outcome.status != 0:
            raise Lost(f"it fails: {outcome.err.strip()}")
        # The next command has the right time again, which is an earlier time after the year ahead.
        return scenario.judged(outcome, self.folder)

    def points(self):
        for scenario in self.chosen():
            for offset, name in ((-YEAR, "a year back"), (YEAR, "a year ahead and back")):
                for touched in (False, True):
                    yield self.tried(scenario, name + (", files from the future" if touched else ""), lambda: self.point(scenario, offset, touched))
        if not self.context.options.scenario:
            yield from self.listing()
            yield "watch", "an hour back", *self.watched()

    def listing(self):
        """Checks that `list` notices an original that another one replaces, whatever the clock does."""
        program = os.path.join(self.context.programs, "liveedit")
        photo = os.path.join(PROJECT, "Fixtures", PHOTO)
        with open(photo, "rb") as file:
            old = file.read()
        date = next(match for match in re.findall(rb"20\d\d:\d\d:\d\d \d\d:\d\d:\d\d", old))
        new = old.replace(date[:4] + b":", b"2011:")
        for way in ("renamed over it", "written into it"):
            for age, name in ((-YEAR, "older by a year"), (0, "of the same time"), (YEAR, "newer by a year")):
                for clock in (0, -YEAR):
                    shutil.rmtree(self.folder, ignore_errors=True)
                    os.makedirs(self.folder)
                    path = os.path.join(self.folder, PHOTO)
                    with open(path, "wb") as file:
                        file.write(old)
                    error = None
                    try:
                        for words in (["album", "create", "A", self.folder], ["list", self.folder]):
                            if run([program, *words]).status != 0:
                                raise Lost("it fails without a disturbance")
                        time.sleep(3.5)  # so that the index trusts the folder
                        run([program, "list", self.folder])
                        status = os.stat(path)
                        target = path if way == "written into it" else path + "~"
                        with open(target, "r+b" if target == path else "wb") as file:
                            file.write(new)
                        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns + age * 10**9))
                        if target != path:
                            os.rename(target, path)
                        self.set(clock)
                        listed = run([program, "list", "--json", self.folder])
                        if "2011-" not in listed.out:
                            raise Lost(f"list does not notice the change: {listed.out.strip()[:300]}")
                    except Lost as lost:
                        error = str(lost)
                    finally:
                        self.set(0)
                    yield "list", f"{way}, {name}, clock {clock}", "lost" if error else "seen", error

    def watched(self):
        """Checks that a watch continues when the clock goes back by an hour."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

        def arrive():
            place(self.folder, "IMG_0003")
            time.sleep(0.5)
            self.set(-3600)

        return watch(self.context, self.folder, arrive, 30)
