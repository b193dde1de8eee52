"""Originals that another program replaces while they are read."""
import collections
import contextlib
import hashlib
import mmap
import os
import re
import shutil
import struct
import threading
import time

from crash.folders import Lost, is_explained, litter, names, run, visible
from crash.scenario import PROJECT, STEM
from fault.kind import PHOTO, Kind, mount_reason, names_file
from fault.passthrough import Passthrough
from fault.remote import fuse_reason


ORIGINAL = "{}/" + PHOTO
EXPORT = ["export", "--as"]


class Replaced(Kind):
    """The originals A are replaced by others B with the same names and identifiers, and the same number of bytes."""

    WAYS = ["renamed over it", "cut", "grown", "overwritten", "another one for a moment"]
    COMMANDS = {
        "rotate": ["rotate", "--degrees", "90", "--lossless", ORIGINAL], "baked": ["rotate", "--degrees", "90", ORIGINAL],
        "adjust": ["adjust", "--exposure", "0.3", ORIGINAL], "adopt": ["adopt", "--photo", "{}/changed.JPG", ORIGINAL],
        "date": ["date", "--shift", "1h", ORIGINAL], "verify": ["verify", ORIGINAL], "list": ["list", "{}"],
        "export": [*EXPORT, "pair", "--version", "original", "-o", "{}/out", ORIGINAL],
        **{form: [*EXPORT, form, "-o", "{}/out", ORIGINAL] for form in ("still", "gif", "video", "motion-photo", "apple")},
        "create": ["create", "--photo", ORIGINAL, "--movie", "{}/" + STEM + ".MOV", "--still-at", "0.2", "-o", "{}/out"],
        "sheet": ["sheet", "-o", "{}/out/sheet.jpg", ORIGINAL], "preview": ["preview", "-o", "{}/out/page.html", ORIGINAL]}

    def begin(self, context):
        super().begin(context)
        # The folder as another program sees it.
        self.inside = self.folder
        self.program = os.path.join(context.programs, "liveedit")
        made = os.path.join(context.place, "made")
        os.makedirs(made)
        fixtures = [os.path.join(PROJECT, "Fixtures", STEM + e) for e in (".JPG", ".MOV")]
        done = run([self.program, "flip", "--horizontal", "-o", made, fixtures[0]])
        if done.status != 0:
            raise Lost(f"flip fails: {done.err.strip()}")
        self.contents = {}
        for fixture in fixtures:
            extension = fixture[-4:]
            with open(fixture, "rb") as file:
                a = file.read()
            with open(os.path.join(made, "IMG_E0003" + extension), "rb") as file:
                b = file.read()
            uuid = rb"[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}"
            b = b.replace(re.search(uuid, b)[0], re.search(uuid, a)[0])
            size = max(len(a), len(b)) + 64
            pad = self.padded_photo if extension == ".JPG" else self.padded_movie
            self.contents[extension] = (pad(a, size), pad(b, size))
        # The result and the message of each command for each pair of contents.
        self.made = collections.defaultdict(dict)
        self.seconds = {}
        for name in self.wanted():
            for photo in (0, 1):
                for movie in (0, 1):
                    self.put(photo, movie)
                    start = time.monotonic()
                    outcome = self.command(name)
                    self.seconds[name] = time.monotonic() - start
                    if outcome.status != 0:
                        raise Lost(f"{name} of {photo}{movie} fails: {outcome.err.strip()}")
                    self.made[name][photo, movie] = self.renders()

    def wanted(self):
        """The commands that are tried."""
        chosen = self.context.options.scenario
        return [name for name in self.COMMANDS if not chosen or name in chosen or "all" in chosen]

    @staticmethod
    def padded_photo(data, size):
        """Adds comments after the start of the picture, to make up the missing bytes."""
        missing = size - len(data)
        comments = b""
        while missing:
            piece = min(missing, 60000) if missing - min(missing, 60000) not in range(1, 5) else missing - 5
            comments += b"\xff\xfe" + struct.pack(">H", piece - 2) + b" " * (piece - 4)
            missing -= piece
        end = 2
        while data[end] == 0xFF and 0xE0 <= data[end + 1] <= 0xEF:  # after Exif, which readers expect first
            end += 2 + struct.unpack_from(">H", data, end + 2)[0]
        return data[:end] + comments + data[end:]

    @staticmethod
    def padded_movie(data, size):
        missing = size - len(data)
        return data + struct.pack(">I", missing) + b"free" + b"\0" * (missing - 8)

    def put(self, photo, movie):
        shutil.rmtree(self.inside, ignore_errors=True)
        os.makedirs(os.path.join(self.inside, "out"))
        for name, content in ((PHOTO, self.contents[".JPG"][photo]), (STEM + ".MOV", self.contents[".MOV"][movie]),
                              ("changed.JPG", self.contents[".JPG"][0])):
            with open(os.path.join(self.inside, name), "wb") as file:
                file.write(content)

    def command(self, name):
        return run([self.program, *(word.replace("{}", self.folder) for word in self.COMMANDS[name])])

    def renders(self):
        """The digests of the rendered and the exported files."""
        return {name: hashlib.sha256(content).hexdigest() for name, (_, content) in visible(self.folder).items()
                if name.startswith(("IMG_E", "out/"))}

    def of_what_is_there(self, name):
        """Renders the current originals; the results replace the existing rendered files."""
        originals = {n: visible(self.folder)[n][1] for n in (STEM + ".JPG", STEM + ".MOV")}
        self.put(0, 0)
        for n, content in originals.items():
            with open(os.path.join(self.inside, n), "wb") as file:
                file.write(content)
        return self.renders() if self.command(name).status == 0 else None

    def fault(self, way, extension):
        a, b = self.contents[extension]
        path = os.path.join(self.inside, STEM + extension)
        status = os.stat(path)
        if way == "renamed over it":
            with open(path + "~", "wb") as file:
                file.write(b)
            os.rename(path + "~", path)
        elif way == "cut":
            os.truncate(path, len(a) // 2)
        elif way == "grown":
            with open(path, "ab") as file:
                file.write(b"\0" * 5000)
        elif way == "overwritten":
            with open(path, "r+b") as file:
                file.write(b)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        else:
            with open(path + "~", "wb") as file:
                file.write(b)
            os.rename(path, path + "#")
            os.rename(path + "~", path)
            time.sleep(self.context.chance.uniform(0, 0.1))
            os.rename(path + "#", path)

    def point(self, name, way, extension, delay):
        self.put(0, 0)
        error = []

        def begin():
            try:
                self.fault(way, extension)
            except OSError as problem:
                error.append(problem)

        timer = threading.Timer(delay, begin)
        timer.start()
        outcome = self.command(name)
        was_early = timer.finished.is_set()
        timer.cancel()
        timer.join()
        if error:
            raise error[0]
        return self.judged(name, way, extension, outcome, "" if was_early else "after the end: ")

    def judged(self, name, way, extension, outcome, early):
        """The outcome of a command whose original was replaced."""
        said = outcome.err.strip()
        if outcome.status not in (0, 1) or outcome.status == 1 and name != "verify" and not (is_explained(said) and names_file(said)):
            raise Lost(f"exit {outcome.status}, “{said}”")
        left = [n for n in litter(self.folder) if os.path.basename(n).startswith(".liveedit-")]
        if left:
            raise Lost(f"litter: {left}")
        if name in ("verify", "list"):
            return early + ("said so" if outcome.status else "told")
        renders = self.renders()
        if outcome.status == 1:
            # A sheet is made without the pictures that are unavailable.
            if renders and name != "sheet":
                raise Lost(f"it failed and left {names(visible(self.folder))}")
            return early + "refused"
        checked = run([self.program, "check", self.folder])
        if checked.status not in (0, 1):
            raise Lost(f"check: exit {checked.status}, {checked.err.strip()}")
        is_handed_on = "-o" in self.COMMANDS[name]
        # The contents from which the result was rendered.
        of = [pair for pair, made in self.made[name].items() if made == renders]
        if not of and way in ("cut", "grown") and self.of_what_is_there(name) == renders:
            return early + "a render of the current files"
        if not of:
            if is_handed_on:
                raise Lost("a mix was exported")
            if checked.status == 1:
                return early + "a mix that check reports"
            raise Lost("a mix is recorded as valid")
        if is_handed_on:
            return early + "a render of one of the two"
        with open(os.path.join(self.inside, STEM + extension), "rb") as file:
            now = file.read()
        is_same = now == self.contents[extension][of[0][extension == ".MOV"]]
        if checked.status == 0 and not is_same and self.of_what_is_there(name) != renders:
            raise Lost(f"a render of replaced files is recorded as valid but cannot be read (“){said}”")
        return early + ("check reports the change" if checked.status else "a render of the current files")

    def points(self):
        for name in self.wanted():
            for way in self.WAYS:
                for number in range(self.context.options.moments):
                    extension = (".JPG", ".MOV")[number % 2]
                    delay = self.context.chance.uniform(0, self.seconds[name] * 1.05)
                    try:
                        yield name, way, self.point(name, way, extension, delay), None
                    except Lost as lost:
                        yield name, f"{way}, {extension} after {delay:.3f} s", "lost", str(lost)


class Opened(Replaced):
    """The same between the opening of an original and its first reading: a FUSE file system delays the reading."""

    WAYS = Replaced.WAYS[:4]
    shown = None

    def reason(self):
        return mount_reason() or fuse_reason()

    def begin(self, context):
        super().begin(context)
        self.target = os.path.dirname(self.folder)
        self.inside = os.path.join(context.place, "backing", "folder")
        # Shared with the file system: 1 while waiting for an opening, 2 after the original was replaced, 3 if it could not be replaced.
        self.moment = mmap.mmap(-1, 4096)

    def end(self):
        if self.shown:
            self.shown.end()
            self.shown = None

    def between(self, way, extension, number):
        """The action at an original's opening, by its number."""
        count = 0

        def opened(name):
            nonlocal count
            if name == STEM + extension and self.moment[0] == 1:
                count += 1
                if count == number:
                    self.moment[0] = 3
                    with contextlib.suppress(OSError):
                        self.fault(way, extension)
                        self.moment[0] = 2

        return opened

    def opening(self, name, way, extension, number):
        """The outcome of the point, or None if the command opens the original less often."""
        self.put(0, 0)
        self.shown = Passthrough(os.path.dirname(self.inside), self.target, self.between(way, extension, number))
        self.shown.begin()
        try:
            self.moment[0] = 1
            outcome = self.command(name)
            moment, self.moment[0] = self.moment[0], 0
            if moment == 3:
                raise Lost("the original could not be replaced")
            return self.judged(name, way, extension, outcome, "") if moment == 2 else None
        finally:
            self.end()

    def points(self):
        for name in self.wanted():
            for way in self.WAYS:
                for extension in (".JPG", ".MOV"):
                    for number in range(1, 100):
                        what = f"{way}, {extension} after opening {number}"
                        try:
                            state = self.opening(name, way, extension, number)
                        except Lost as lost:
                            yield name, what, "lost", str(lost)
                            continue
                        if state is None:
                            break
                        yield name, what, state, None
