"""The code that all kinds of faults share."""
import collections
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

from crash.folders import Lost, run
from crash.scenario import STEM, Scenario
from crash.scenarios import all_scenarios

PHOTO = STEM + ".JPG"
YEAR = 365 * 86400
Context = collections.namedtuple("Context", "programs place options chance")


def tool(*command):
    """Runs a system program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Lost(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def commands_of(programs):
    """The commands that these programs support."""
    return set(re.findall(r"^  ([a-z-]+) ", run([os.path.join(programs, "liveedit"), "help", "commands"]).out, re.M))


def scenarios_of(programs):
    """The scenarios whose commands these programs support."""
    return all_scenarios(commands_of(programs), "--each" in run([os.path.join(programs, "liveedit"), "rotate", "--help"]).out)


def names_file(said):
    """Whether a failure message names a file or a folder of the scenario."""
    return all(re.search(r"/|IMG_", line) for line in said.splitlines()
               if line.startswith("liveedit: ") and not re.match("liveedit: (rebuilt|restored|kept|\\d+ committed[,;]) ", line))


def mount_reason():
    """The reason why nothing can be mounted here, or None if it can."""
    with tempfile.TemporaryDirectory() as folder:
        trial = subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True, text=True)
        if trial.returncode:
            return "no file system can be mounted here: " + trial.stderr.strip()
        subprocess.run(["umount", folder], check=True)
    return None


class Kind:
    """A kind of fault. `points` yields (scenario, disturbance, outcome, error)."""

    needs_root = False
    # Scenarios that cannot be tried. The list of a batch names its folder, and would have to be rewritten in each copy of it.
    leaves_out = ("batch",)

    def reason(self):
        """The reason why this kind cannot be tried here, or None if it can."""
        if self.needs_root and os.geteuid() != 0:
            return "it needs root"
        return None

    def begin(self, context):
        self.context = context
        self.folder = os.path.join(context.place, "at", "folder")
        os.makedirs(os.path.dirname(self.folder), exist_ok=True)
        # The fault must not affect the state of batches, so it is stored elsewhere.
        Scenario.state_place = os.path.join(context.place, "state")
        os.makedirs(Scenario.state_place)

    def end(self):
        pass

    def chosen(self):
        """The prepared scenarios, with their valid final states."""
        options = self.context.options
        commands = commands_of(self.context.programs)
        for scenario in scenarios_of(self.context.programs):
            is_wanted = "all" in options.scenario or scenario.name in options.scenario if options.scenario else not scenario.is_extra
            if not is_wanted:
                continue
            if scenario.cut or scenario.name in self.leaves_out:
                continue  # crash-test covers commits that were interrupted earlier
            scenario.is_recorded = False
            place = tempfile.mkdtemp(prefix=scenario.name + "-", dir=self.context.place)
            scenario.prepare(self.context.programs, commands, place)
            start = time.monotonic()
            copy = shutil.copytree(scenario.start, os.path.join(place, "timed"), symlinks=True)
            run(scenario.line(scenario.command, copy))
            scenario.seconds = time.monotonic() - start
            yield scenario
            shutil.rmtree(place, ignore_errors=True)

    def fresh(self, scenario):
        """Replaces the folder with a new copy of the scenario's folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(scenario.start, self.folder, symlinks=True)

    def disturb(self, scenario, fault, delay):
        """Runs the command, and triggers the fault after that many seconds; returns the outcome, and whether the fault came before
        the end."""
        failure = []

        def begin():
            try:
                fault()
            except Exception as error:  # reported by the main thread
                failure.append(error)

        timer = threading.Timer(delay, begin)
        timer.start()
        try:
            outcome = run(scenario.line(scenario.command, self.folder))
        finally:
            was_early = timer.finished.is_set()
            timer.cancel()
            timer.join()
        if failure:
            raise failure[0]
        return outcome, was_early

    def words(self, scenario, outcome):
        """Checks the command's message about the fault."""
        if outcome.status == 1 and scenario.command[0] == "check" and names_file(outcome.out) and STEM in outcome.out:
            return  # its findings are its output
        scenario.check_words(outcome)
        if outcome.status == 1 and not names_file(outcome.err.strip()):
            raise Lost(f"it names no file: “{outcome.err.strip()}”")
        if scenario.is_reader:
            scenario.check_output(outcome, self.folder)

    def tried(self, scenario, what, attempt):
        """The result of one point."""
        try:
            return scenario.name, what, attempt(), None
        except Lost as lost:
            kept = os.path.join(self.context.place, "lost", f"{scenario.name}-{what}".replace("/", "-").replace(" ", "-"))
            if self.context.options.keep and os.path.isdir(self.folder):
                shutil.copytree(self.folder, kept, symlinks=True, dirs_exist_ok=True)
            return scenario.name, what, "lost", str(lost)

    def points(self):
        for scenario in self.chosen():
            for fault in self.faults():
                for _ in range(self.context.options.moments):
                    delay = self.context.chance.uniform(0, scenario.seconds * 1.1)
                    yield self.tried(scenario, f"{fault} after {delay:.3f} s", lambda: self.point(scenario, fault, delay))

    def faults(self):
        return [""]
