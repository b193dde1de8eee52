"""The commands that write, as scenarios for the tests that disturb them: what comes before, the command, and the next one."""
import collections
import contextlib
import itertools
import os
import re
import shutil
import sqlite3
import tempfile

from crash.folders import Lost, hidden, is_explained, is_version, litter, names, observed, run, visible
from crash.order import recorded_calls

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEM = "IMG_0003"
CALLS = """write writev pwrite64 pwritev pwritev2 sendto sendfile copy_file_range splice
rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat rmdir mkdir mkdirat
truncate ftruncate fallocate fsync fdatasync sync_file_range syncfs msync
chmod fchmod fchmodat utimensat openat""".split()
DISTURBANCES = {"before": "signal=KILL", "after": "signal=USR1", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
# Those that are tried.
TRIED = list(DISTURBANCES)
Series = collections.namedtuple("Series", "scenario process call kind")


def is_error(kind):
    """Whether a disturbance lets a call fail; the others end the process."""
    return kind not in ("before", "after")


class Scenario:
    """Commands and functions that prepare a folder, the command that is disturbed, and the next one. {} is the folder."""

    def __init__(self, name, setup, command, following, originals=(STEM + ".JPG", STEM + ".MOV"), cut=False,
                 helper_only=False, before=None, is_one_end=False, publishes=True):
        self.name, self.setup, self.command, self.following = name, setup, command, following
        self.originals, self.cut, self.helper_only = originals, cut, helper_only
        # What happens to the originals first; whether both ends are the same; whether visible names change.
        self.before, self.is_one_end, self.publishes = before, is_one_end, publishes

    def prepare(self, programs, commands, place):
        """Finds out what the folder looks like at the start, and after each of the two good ends."""
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
        # The setup may have changed them as other programs do.
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
                trace = ["strace", "-f", "-y", "-s", "1000000", "-o", self.recorded, "-e", "trace=" + ",".join(CALLS)]
                self.must(command, folder, trace if self.is_recorded else [])
            self.recorded_folder = folder
            before = visible(folder)
            outcome = run(self.line(self.following, folder))
            told = self.told(folder)
            ends[state] = (before, told, outcome.status, hidden(folder))
        self.ends = ends
        if self.is_one_end != (ends["old"][1] == ends["new"][1]):
            raise Lost(f"{self.name}: the scenario does not tell the old state from the new one")

    def cut_short(self, place):
        """Leaves the start as a kill in the middle of the moves leaves it; returns a folder with the old state.

        The next run may finish that commit or undo it; the old state here is whichever of them it does.
        """
        for call, number in itertools.product(("rename", "renameat2", "renameat", "linkat", "link"), range(1, 10)):
            folder = shutil.copytree(self.start, os.path.join(place, f"{self.name}-{call}-{number}"), symlinks=True)
            before = visible(folder)
            _, hit = self.disturbed(Series(self, "command", call, "after"), number, self.setup[-1], folder, place)
            if hit is None or visible(folder) == before:
                continue
            shutil.rmtree(self.start)
            shutil.copytree(folder, self.start, symlinks=True)
            # Two turns that cancel: whatever the next run makes of it, without an edit of its own.
            for degrees in ("90", "-90"):
                self.must(["rotate", "--degrees", degrees, "--lossless", "{}/" + STEM + ".JPG"], folder)
            return folder
        raise Lost(f"{self.name}: no rename changes what is seen")

    def told(self, folder):
        """What a user sees in a folder, and what liveedit says of it."""
        if self.cut:
            return visible(folder), None  # its old state was made with more versions
        liveedit = os.path.join(self.programs, "liveedit")
        return visible(folder), [observed(liveedit, os.path.normpath(os.path.join(folder, place))) for place in self.places]

    # The folders that have libraries.
    places = ["."]
    # Whether the calls of the command are recorded, which `series` and the order of calls need.
    is_recorded = True
    # Where state folders are made; None for beside the folder.
    state_place = None

    def present(self, folder):
        """The names of the originals now."""
        return self.unedited

    def litter(self, folder):
        return litter(folder)

    def line(self, command, folder):
        # Presets are kept in the folder as well.
        os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")
        # Each command has a state folder of its own: none hears of a batch that another one did not end.
        os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="state-", dir=self.state_place or os.path.dirname(folder))
        return [os.path.join(self.programs, "liveedit")] + [word.replace("{}", folder) for word in command]

    def must(self, command, folder, before=()):
        if callable(command):
            return command(folder)
        outcome = run(list(before) + self.line(command, folder))
        if outcome.status != 0:
            raise Lost(f"{self.name}: {' '.join(command)} fails undisturbed: {outcome.err.strip()}")

    def disturbed(self, series, number, command, folder, place):
        """Runs a command with one call disturbed; returns what it said and the call that was hit, if any."""
        log = os.path.join(place, "log")
        if os.path.exists(log):
            os.remove(log)
        inject = f"inject={series.call}:{DISTURBANCES[series.kind]}:when={number}"
        line = self.line(command, folder)
        if series.process == "command":
            outcome = run(["strace", "-f", "-b", "execve", "-o", log, "-e", "trace=" + series.call, "-e", inject] + line)
        else:
            half = series.process.split("-")[1] if "-" in series.process else ""
            outcome = run(line, {"CRASH_INJECT": inject, "CRASH_CALL": series.call, "CRASH_LOG": log, "CRASH_HALF": half,
                                 "CRASH_BOTH": "1" if series.process.startswith("both") else ""})
        hit = None
        if os.path.exists(log):
            with open(log, errors="replace") as file:
                lines = file.read().splitlines()
            mark = "(INJECTED)" if is_error(series.kind) else "+++ killed by SIG"
            for index, text in enumerate(lines):
                if mark in text:
                    calls = [t for t in lines[:index + 1] if series.call + "(" in t]
                    hit = calls[-1] if calls else text
                    break
        return outcome, hit

    def point(self, series, number, place):
        """Tries one point. Returns None when it was not reached, else the state it left; raises Lost."""
        folder = os.path.join(place, "folder")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.start, folder, symlinks=True)
        outcome, hit = self.disturbed(series, number, self.command, folder, place)
        if hit is None:
            if outcome.status != 0:
                raise Lost(f"it fails though no call was disturbed: {outcome.err.strip()}")
            return None
        if is_error(series.kind) or series.process.startswith("helper"):
            self.check_words(outcome)
        return self.judged(outcome, folder)

    def check_words(self, outcome):
        """Makes sure that a command ended by itself, and that one which failed says so as it should."""
        said = outcome.err.strip()
        if outcome.status not in (0, 1):
            raise Lost(f"exit status {outcome.status}, “{said}”")
        if outcome.status == 1 and not is_explained(said):
            raise Lost(f"failed without one sentence: “{said}”")

    def judged(self, outcome, folder):
        """The state that a disturbed command left in a folder, after the next one; raises Lost where it is none."""
        self.check_originals(folder)
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
            raise Lost(f"the next run ends with {following.status}, not {status}: “{following.err.strip()}”")
        if left != [name for name in expected if not is_version(name)]:
            raise Lost(f"litter: {', '.join(left)} instead of {', '.join(expected) or 'nothing'}")
        if outcome.status == 0 and state == "old" and not self.is_one_end:
            raise Lost("it said that it was done, and was not")
        if "check" in self.commands:
            checked = run(self.line(["check"] + ["{}/" + place for place in self.places], folder))
            if checked.status != 0:
                raise Lost(f"check fails: {checked.out.strip()} {checked.err.strip()}")
        if outcome.status == 1 and state == "new":
            return "new, though it failed"
        return state if at_once == self.ends[state][0] else state + ", by the next run"

    def check_originals(self, folder):
        now = visible(folder)
        for name, content in self.unedited.items():
            if now.get(name) != content:
                raise Lost(f"the original {name} changed")

    def series(self):
        """What there is to disturb, from the recorded run: series of calls with how many the recording has."""
        counts = collections.Counter()
        creating = collections.defaultdict(list)
        opened = collections.Counter()
        command = None
        for pid, call, arguments, _ in recorded_calls(self.recorded):
            command = command or pid
            if call == "openat":
                opened[pid] += 1
                if "O_CREAT" not in arguments:
                    continue
                if pid == command:
                    creating[pid].append(opened[pid])
            if pid == command:
                counts["command", call] += 1
                continue
            on_socket = "<socket" in arguments
            half = next((h for h in ("photo", "movie") if h in arguments and not on_socket), None)
            if half or on_socket:
                counts["-".join(filter(None, ["helper", half])), call] += 1
                counts["-".join(filter(None, ["both", half])), call] += 1
        for (process, call), count in sorted(counts.items()):
            if self.helper_only and process == "command":
                continue
            for kind in TRIED:
                if not is_error(kind) or not process.startswith("both"):
                    numbers = creating[command] if (process, call) == ("command", "openat") else range(1, count + 1)
                    yield Series(self, process, call, kind), list(numbers)


class Move(Scenario):
    """A command that gives originals other names: each is there once at any time, whole, under one name or another."""

    def __init__(self, *arguments, places=(".", "out"), **options):
        super().__init__(*arguments, **options)
        self.places = places

    def check_originals(self, folder):
        found = collections.Counter(visible(folder).values())
        for name, content in self.unedited.items():
            if found[content] != 1:
                raise Lost(f"the original {name} is there {found[content]} times")

    def present(self, folder):
        return [name for name, content in visible(folder).items() if content in self.unedited.values()]

    def told(self, folder):
        for place in self.places:
            # It fails, but opens the library for writing: the next command may have opened that of the other folder alone.
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


def scenarios(commands, blocks, slow):
    """All scenarios that this liveedit has the commands for; the slow one decodes and encodes."""
    photo = "{}/" + STEM + ".JPG"
    turn = ["rotate", "--degrees", "90", "--lossless", photo]
    away = ["rotate", "--degrees", "90", "--lossless", "-o", "{}/out", photo]
    other = ["rotate", "--degrees", "180", "--lossless", "-o", "{}/out", photo]
    yield Scenario("first", [], turn, turn)
    yield Scenario("second", [turn], turn, turn)
    yield Scenario("fourth", [turn, turn, turn], turn, turn)
    yield Scenario("flip", [turn], ["flip", "--horizontal", "--lossless", photo], turn)
    yield Scenario("photo", [turn], turn, turn, originals=[STEM + ".JPG"])
    yield Scenario("elsewhere", [], away, other)
    yield Scenario("recovery", [turn, turn], turn, turn, cut=True)
    if slow:
        baked = ["rotate", "--degrees", "90", photo]
        yield Scenario("baked", [], baked, baked, helper_only=True)
    if "revert" in commands:
        yield Scenario("revert", [turn, turn], ["revert", photo], turn)
        yield Scenario("redo", [turn, turn, ["revert", photo]], ["redo", photo], turn)
    if "move" in commands:
        yield from moves(photo, turn)
    if "forget" in commands:
        yield from collections_and_repairs(photo, turn)
        yield from makers(photo)
    if blocks:
        both = turn + ["{}/IMG_0002.JPG"]
        # One after the other: the log of a disturbed call is that of one helper.
        both += ["--jobs", "1"]
        yield Scenario("block", [turn], both, both,
                       originals=[STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"])


def collections_and_repairs(photo, turn):
    """The commands that change the catalogue and no pictures."""
    other = "{}/IMG_0002.JPG"
    two = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
    favourite = ["mark", "--favourite", photo]
    create = ["album", "create", "Summer", "{}"]
    add = ["album", "add", "Summer", photo]

    check = ["check", "--repair", "{}"]
    marked = [turn, turn, favourite, create, add, ["mark", "--hidden", other]]
    yield Scenario("mark", [], favourite, ["mark", "--hidden", other], two, publishes=False)
    yield Scenario("unmark", marked, ["mark", "--no-favourite", photo], ["mark", "--favourite", other], two, publishes=False)
    yield Scenario("album", [turn], create, ["album", "create", "Winter", "{}"], publishes=False)
    yield Scenario("albums", [turn, create], add, ["album", "add", "Summer", other], two, publishes=False)
    yield Scenario("delete", marked, ["album", "delete", "Summer", "{}"], favourite[:1] + ["--favourite", other], two, publishes=False)
    yield Scenario("forget", marked, ["forget", photo], turn[:-1] + [other], two, publishes=False)
    forget = ["forget", "--to", "{}/out", photo]
    yield Scenario("keep", [turn, spoil_render, turn], forget, forget, is_one_end=True, publishes=False)
    yield Scenario("rebuild", marked + [lose_catalogue], check, check, two, is_one_end=True, publishes=False)
    yield Scenario("replace", marked + [damage_catalogue], check, check, two, is_one_end=True, publishes=False)
    yield Scenario("stuck", marked + [obstruct], check, check, two, is_one_end=True, publishes=False)


def moves(photo, turn):
    """The commands that give originals other names, and the one that takes in changed ones."""
    other = "{}/IMG_0002.JPG"
    two = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
    create = ["album", "create", "Summer", "{}"]
    marked = [turn, turn, ["mark", "--favourite", photo], create, ["album", "add", "Summer", photo, other]]
    hide = ["mark", "--hidden", other]
    yield Move("rename", marked, ["move", photo, "{}/Beach"], hide, two, places=["."])
    yield Move("move", marked, ["move", photo, "{}/out"], hide, two)
    # The next command looks at the other folder first.
    yield Move("plain", [], ["move", photo, "{}/out/IMG_0009.JPG"], ["album", "create", "Summer", "{}/out"], two)
    repair = ["check", "--repair", "{}", "{}/out"]
    yield Move("follow", marked + [rename_originals], repair[:-1], repair[:-1], two, is_one_end=True, places=["."])
    yield Move("chase", marked + [move_originals], repair, repair, two, is_one_end=True)
    accept = ["check", "--accept", photo]
    yield Scenario("accept", marked + [tag_original], accept, accept, two, is_one_end=True, publishes=False)


def rename_originals(folder):
    """Renames the originals as another program would, and leaves the render behind."""
    for ending in (".JPG", ".MOV"):
        os.rename(os.path.join(folder, STEM + ending), os.path.join(folder, "Beach" + ending))


def move_originals(folder):
    """Moves the originals and one half of the render to another folder, as another program would."""
    os.makedirs(os.path.join(folder, "out"), exist_ok=True)
    for name in (STEM + ".JPG", STEM + ".MOV", "IMG_E0003.JPG"):
        os.rename(os.path.join(folder, name), os.path.join(folder, "out", name))


def tag_original(folder):
    """Writes a comment into the original photo."""
    path = os.path.join(folder, STEM + ".JPG")
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(content[:2] + b"\xff\xfe\x00\x07other" + content[2:])


def lose_catalogue(folder):
    os.remove(os.path.join(folder, ".liveedit/library.sqlite"))


def damage_catalogue(folder):
    """Writes over the root of the table of versions."""
    path = os.path.join(folder, ".liveedit/library.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as catalogue:
        page = catalogue.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'version'").fetchone()[0]
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 64)


def obstruct(folder):
    """Puts a file where the current version's photo goes when it is left."""
    with open(os.path.join(folder, ".liveedit/versions", STEM, "2", STEM.replace("_", "_E") + ".JPG"), "w") as file:
        file.write("obstacle")


def spoil_render(folder):
    """Lets another program change the render, which makes it a version that cannot be rendered again."""
    path = os.path.join(folder, "IMG_E0003.JPG")
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        # A comment before the end of the picture.
        file.write(content[:2] + b"\xff\xfe\x00\x07other" + content[2:])


def makers(photo):
    """The commands that put new files into another folder. The next command wants one of their names."""
    movie = photo.replace(".JPG", ".MOV")
    still = ["export", "--as", "still", "-o", "{}/out", photo]
    at = ["create", "--photo", photo, "--movie", movie, "-o", "{}/out", "--still-at"]
    turned = ["rotate", "--degrees", "90", "--lossless", photo]
    yield Scenario("create", [], at + ["0.2"], at + ["0.4"])
    two = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
    yield Scenario("pair", [], ["pair", "-o", "{}/out", photo, "{}/IMG_0002.MOV"], still, two)
    yield Scenario("tie", [], ["repair", "-o", "{}/out", "{}"], still, before=part)
    yield Scenario("export", [turned], ["export", "--as", "pair", "--version", "original", "-o", "{}/out", photo], still + ["--version", "original"])
    yield Scenario("bundle", [], ["export", "--as", "pvt", "-o", "{}/out", photo], ["export", "--as", "pvt", "--strip", "all", "-o", "{}/out", photo])
    adjusted = [["adjust", "--exposure", value, photo.replace(STEM, stem)] for stem, value in ((STEM, "0.3"), ("IMG_0002", "0.2"))]
    save = [["preset", "save", "mine", "--from", photo.replace(STEM, stem)] for stem in (STEM, "IMG_0002")]
    yield Scenario("preset", adjusted, *save, two, publishes=False)


def part(folder):
    """Takes the movie's name away, so that only the identifier tells where it belongs."""
    os.rename(os.path.join(folder, STEM + ".MOV"), os.path.join(folder, "clip.MOV"))
