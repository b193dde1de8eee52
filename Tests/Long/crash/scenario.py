"""A command that is disturbed, the commands before and after it, and the states in which a folder may be afterwards."""
import collections
import itertools
import os
import re
import shutil
import tempfile

from crash.folders import Lost, digest, hidden, is_explained, is_version, litter, names, observed, run, visible
from crash.points import (TRIED, Series, first_and_last, hand_over, hit_call, injection, is_error, merge, numbered, recording,
                          take_back)

PROJECT = os.path.abspath(os.path.join(__file__, "../../../.."))
STEM = "IMG_0003"
# The results in intact folders, by scenario and digest: a third of the disturbed commands leave a folder that occurred before.
GOOD_ENDS = {}
UNREADABLE = re.compile("cannot be read")


class Scenario:
    """Commands and functions that prepare a folder, the command that is disturbed, and the next command. {} is the folder."""

    def __init__(self, name, setup, command, following, originals=(STEM + ".JPG", STEM + ".MOV"), cut=False,
                 before=None, is_one_end=False, publishes=True, is_usual=True):
        self.name, self.setup, self.command, self.following = name, setup, command, following
        self.originals, self.cut = originals, cut
        # A first change to the originals; whether both final states are the same; whether visible names change.
        self.before, self.is_one_end, self.publishes = before, is_one_end, publishes
        # Whether short runs include the scenario too.
        self.is_usual = is_usual

    def prepare(self, programs, commands, place):
        """Records the folder at the start and after each of the two valid endings."""
        self.programs, self.commands = programs, commands
        self.start = os.path.join(place, self.name + "-start")
        os.makedirs(self.start)
        if any(word.startswith("{}/out") for word in self.command + self.following):
            os.mkdir(os.path.join(self.start, "out"))
        for name in self.originals:
            shutil.copy(os.path.join(PROJECT, "Fixtures", name), self.start)
        self.unedited = visible(self.start)
        if self.before:
            self.before(self.start)
            self.unedited = visible(self.start)
        for command in self.setup[:-1] if self.cut else self.setup:
            self.must(command, self.start)
        # The setup may have changed the originals as other programs do.
        now = visible(self.start)
        self.unedited = {name: now.get(name, content) for name, content in self.unedited.items()}
        old_start = self.start
        if self.cut:
            old_start = self.cut_short(place)
        self.recorded = os.path.join(place, self.name + ".trace")
        ends = {}
        for state, commands in (("old", []), ("new", [self.command])):
            folder = shutil.copytree(old_start if state == "old" else self.start, os.path.join(place, self.name + "-" + state), symlinks=True)
            for command in commands:
                self.printed = self.record(command, folder) if self.is_recorded else self.must(command, folder)
            self.recorded_folder = folder
            before = visible(folder)
            outcome = run(self.line(self.following, folder))
            told = self.told(folder)
            ends[state] = (before, told, outcome.status, hidden(folder))
        self.ends = ends
        if self.is_one_end != (ends["old"][1] == ends["new"][1]):
            raise Lost(f"{self.name}: the scenario's old and new states are the same")

    def record(self, command, folder):
        """Runs a command and records its calls and those of its helpers."""
        own, helper = self.recorded + "-command", self.recorded + "-helper"
        hand_over(self.programs, 0, helper)
        try:
            outcome = self.must(command, folder, recording(own))
        finally:
            take_back(self.programs)
        helpers = [f"{helper}-{job}" for job in itertools.takewhile(lambda job: os.path.exists(f"{helper}-{job}"), itertools.count(1))]
        merge([own, *helpers], self.recorded)
        self.traces = own, helpers
        return outcome

    def cut_short(self, place):
        """Leaves the folder as a kill in the middle of the moves leaves it; returns a folder with the old state.

        The next run may finish that commit or undo it; the old state here is whichever result it produces.
        """
        for call, number in itertools.product(("rename", "renameat2", "renameat", "linkat", "link"), range(1, 10)):
            folder = shutil.copytree(self.start, os.path.join(place, f"{self.name}-{call}-{number}"), symlinks=True)
            before = visible(folder)
            _, hit = self.disturbed(Series(self, "command", call, "after", True), number, self.setup[-1], folder, place)
            if hit is None or visible(folder) == before:
                continue
            shutil.rmtree(self.start)
            shutil.copytree(folder, self.start, symlinks=True)
            # Two rotations that cancel out: they show what the next run does, without a new edit.
            for degrees in ("90", "-90"):
                self.must(["rotate", "--degrees", degrees, "--lossless", "{}/" + STEM + ".JPG"], folder)
            return folder
        raise Lost(f"{self.name}: no rename changes a visible file")

    def told(self, folder):
        """The files that a user sees in a folder, and what liveedit reports about it."""
        if self.cut:
            return visible(folder), None  # its old state has more versions
        liveedit = os.path.join(self.programs, "liveedit")
        return visible(folder), [observed(liveedit, os.path.normpath(os.path.join(folder, place))) for place in self.places]

    # The folders that have libraries.
    places = ["."]
    # Whether the command only reads.
    is_reader = False
    # Whether the scenario runs only if it, or all, is requested.
    is_extra = False
    # Whether the command's calls are recorded; `series` and the check of the call order need them.
    is_recorded = True
    # The folder for state folders; None for beside the test's folder.
    state_place = None

    def present(self, folder):
        """The current names of the originals."""
        return self.unedited

    def litter(self, folder):
        return litter(folder)

    def line(self, command, folder):
        # The folder also contains the presets.
        os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")
        # It also contains the index of a folder without a library, so that points do not affect each other.
        if not self.state_place:
            os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        # Each command has its own state folder, so that no command sees a batch that another one left unfinished.
        os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="state-", dir=self.state_place or os.path.dirname(folder))
        return [os.path.join(self.programs, "liveedit")] + [word.replace("{}", folder) for word in command]

    def must(self, command, folder, before=()):
        if callable(command):
            return command(folder)
        outcome = run(list(before) + self.line(command, folder))
        if outcome.status != 0:
            raise Lost(f"{self.name}: {' '.join(command)} fails undisturbed: {outcome.err.strip()}")
        return outcome

    def disturbed(self, series, number, command, folder, place):
        """Runs a command with one call disturbed; returns its outcome and the call that was hit, if any."""
        log = os.path.join(place, "log")
        if os.path.exists(log):
            os.remove(log)
        words = injection(series.call, series.kind, number)
        line = self.line(command, folder)
        process, _, job = series.process.partition(" ")
        if process == "command":
            outcome = run(["strace", "-f", "-b", "execve", "-o", log, *words, *line])
        else:
            hand_over(self.programs, int(job), log, words, process == "both")
            try:
                outcome = run(line)
            finally:
                take_back(self.programs)
        return outcome, hit_call(log, series)

    def point(self, series, number, place):
        """Tries one point. Returns None if it was not reached, or else the resulting state; raises Lost."""
        folder = os.path.join(place, "folder")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.start, folder, symlinks=True)
        outcome, hit = self.disturbed(series, number, self.command, folder, place)
        if hit is None:
            if outcome.status != 0:
                raise Lost(f"it fails although no call was disturbed: {outcome.err.strip()}")
            return None
        if is_error(series.kind) or series.process.startswith("helper"):
            # If writing fails permanently, the command cannot report anything.
            is_lasting = series.kind.endswith("+")
            is_silent = is_lasting and series.process == "command" and series.call in ("write", "writev")
            self.check_words(outcome, is_silent, is_lasting)
            self.check_output(outcome, folder)
        return self.judged(outcome, folder, GOOD_ENDS)

    def check_words(self, outcome, is_silent=False, is_lasting=False):
        """Checks that a command ended by itself and, if it failed, reported that correctly, unless it could not print anything."""
        said = outcome.err.strip()
        if outcome.status == 2 and self.command[0] == "repair" and UNREADABLE.search(outcome.out):
            return  # unreadable files stay unchanged, and there is nothing else to do
        if outcome.status not in (0, 1):
            raise Lost(f"exit status {outcome.status}, “{said}”")
        if is_silent:
            return
        if outcome.status == 1 and self.command[0] in ("check", "verify") and outcome.out.strip():
            return  # its findings are its output
        # In a folder whose files all fail, each file has its own message.
        if outcome.status == 1 and not is_explained("\n".join(dict.fromkeys(said.splitlines())), is_lasting):
            raise Lost(f"failed without one sentence: “{said}”")

    def check_output(self, outcome, folder):
        """Checks that a command that reports success has finished; otherwise the next command might hide the error."""
        if outcome.status == 0 and visible(folder) != self.ends["new"][0]:
            raise Lost(f"it reported success, but left {names(visible(folder))}")

    def judged(self, outcome, folder, known=None):
        """The state of a folder after a disturbed command and the next command; raises Lost if the state is neither old nor new.

        `known` remembers the results for identical folders.
        """
        self.check_originals(folder)
        known = {} if known is None else known
        key = self.name, digest(folder)
        if key not in known:
            known[key] = self.followed(folder)
        state, is_at_once = known[key]
        if outcome.status == 0 and state == "old" and not self.is_one_end:
            raise Lost("it reported success, but had not finished")
        if outcome.status == 1 and state == "new":
            return "new, though it failed"
        return state if is_at_once else state + ", by the next run"

    def followed(self, folder):
        """The state of a folder after the next command, and whether it already had that state; raises Lost if the state is invalid."""
        at_once = visible(folder)
        looked = run(self.line(["inspect"] + ["{}/" + name for name in self.present(folder)], folder))
        if looked.status != 0:
            raise Lost(f"inspect fails afterwards: {looked.err.strip()}")
        following = run(self.line(self.following, folder))
        self.check_originals(folder)
        after = self.told(folder)
        left = self.litter(folder)
        states = [state for state, end in self.ends.items() if end[1] == after]
        if not states:
            raise Lost(f"the next run leaves neither the old nor the new state: exit {following.status}, "
                       f"“{following.err.strip()}”, {names(at_once)} became {names(after[0])}, told {after[1]}")
        state = states[0]
        _, _, status, expected = self.ends[state]
        if following.status != status and not self.is_one_end:
            raise Lost(f"the next run exits with {following.status} instead of {status}: “{following.err.strip()}”")
        if left != [name for name in expected if not is_version(name)]:
            raise Lost(f"litter: {', '.join(left)} instead of {', '.join(expected) or 'nothing'}")
        if "check" in self.commands:
            checked = run(self.line(["check"] + ["{}/" + place for place in self.places], folder))
            if checked.status != 0:
                raise Lost(f"check fails: {checked.out.strip()} {checked.err.strip()}")
        return state, at_once == self.ends[state][0]

    def check_originals(self, folder):
        now = visible(folder)
        for name, content in self.unedited.items():
            if now.get(name) != content:
                raise Lost(f"the original {name} changed")

    def series(self, which="all"):
        """The calls of the recorded run that can be disturbed: all of them, the "ends" (the first and last call of one name on the
        same files), or the calls "between" them."""
        numbers = collections.defaultdict(set)
        own, helpers = self.traces
        processes = [("command", own, self.recorded_folder), *((f"helper {job}", trace, None) for job, trace in enumerate(helpers, 1))]
        for process, trace, folder in processes:
            calls = numbered(trace, folder)
            if which != "all":
                ends = first_and_last(calls)
                calls = ends if which == "ends" else calls - ends
            for use, call, _, number in calls:
                for kind in TRIED[use]:
                    numbers[process, call, kind, use == "changing"].add(number)
                    if process != "command" and not is_error(kind):
                        numbers[process.replace("helper", "both"), call, kind, True].add(number)
        for (process, call, kind, changes), found in sorted(numbers.items()):
            yield Series(self, process, call, kind, changes, sorted(found))


class Reader(Scenario):
    """A command that changes at most the index: it prints the same as in an undisturbed run, or reports what is missing."""

    is_reader = True

    def __init__(self, name, setup, command, originals=(STEM + ".JPG", STEM + ".MOV"), before=None):
        super().__init__(name, setup, command, command, originals, before=before, is_one_end=True, publishes=False)

    def check_output(self, outcome, folder):
        says_why = outcome.err.strip() or " not compared" in outcome.out or UNREADABLE.search(outcome.out)
        if outcome.status == 0 and not says_why and self.shown(outcome, folder) != self.shown(self.printed, self.recorded_folder):
            raise Lost(f"it prints a different result without an error: “{outcome.out.strip()}”")

    def shown(self, outcome, folder):
        """The output without the folder's path; the width of a list's columns depends on the path."""
        return re.sub(" +", " ", outcome.out.replace(folder, "{}"))


class Move(Scenario):
    """A command that renames originals: at any time, each one exists exactly once, complete, under its old or its new name."""

    def __init__(self, *arguments, places=(".", "out"), **options):
        super().__init__(*arguments, **options)
        self.places = places

    def check_originals(self, folder):
        found = collections.Counter(visible(folder).values())
        for name, content in self.unedited.items():
            if found[content] != 1:
                raise Lost(f"the original {name} exists {found[content]} times")

    def present(self, folder):
        return [name for name, content in visible(folder).items() if content in self.unedited.values()]

    def told(self, folder):
        for place in self.places:
            # The command fails but opens the library for writing; the next command may have opened only the other folder's library.
            run(self.line(["album", "delete", "none", os.path.join(folder, place)], folder))
        return super().told(folder)

    def litter(self, folder):
        # A move that was undone may leave an empty catalogue.
        return [name for name in litter(folder)
                if not re.fullmatch(r"(out/)?\.liveedit(/lock|/library.sqlite(-journal)?|/collections.json|/index.sqlite.*)?", name)]

    def prepare(self, programs, commands, place):
        super().prepare(programs, commands, place)
        self.ends = {state: (*end[:3], self.litter(os.path.join(place, self.name + "-" + state)))
                     for state, end in self.ends.items()}
