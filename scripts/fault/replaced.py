"""Originals that another program replaces while they are read."""
import collections
import hashlib
import os
import re
import shutil
import struct
import threading
import time

from crash.folders import Lost, is_explained, litter, names, run, visible
from crash.scenario import PROJECT, STEM
from fault.kind import PHOTO, Kind, names_file


class Replaced(Kind):
    """The originals A are replaced by others B with the same names and identifiers, and with as many bytes."""

    WAYS = ["renamed over it", "cut", "grown", "overwritten", "another one for a moment"]
    COMMANDS = {"rotate": ["rotate", "--degrees", "90", "--lossless"], "baked": ["rotate", "--degrees", "90"], "adjust": ["adjust", "--exposure", "0.3"],
                "verify": ["verify"], "list": ["list"], "export": ["export", "--as", "pair", "--version", "original", "-o", "out"]}

    def begin(self, context):
        super().begin(context)
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
        # What each command makes of each pair of contents, and what it says.
        self.made = collections.defaultdict(dict)
        self.seconds = {}
        for name in self.COMMANDS:
            for photo in (0, 1):
                for movie in (0, 1):
                    self.put(photo, movie)
                    start = time.monotonic()
                    outcome = self.command(name)
                    self.seconds[name] = time.monotonic() - start
                    if outcome.status != 0:
                        raise Lost(f"{name} of {photo}{movie} fails: {outcome.err.strip()}")
                    self.made[name][photo, movie] = self.renders(name)

    @staticmethod
    def padded_photo(data, size):
        """Comments after the start of the picture, as many bytes as are missing."""
        missing = size - len(data)
        comments = b""
        while missing:
            piece = min(missing, 60000) if missing - min(missing, 60000) not in range(1, 5) else missing - 5
            comments += b"\xff\xfe" + struct.pack(">H", piece - 2) + b" " * (piece - 4)
            missing -= piece
        end = 2
        while data[end] == 0xFF and 0xE0 <= data[end + 1] <= 0xEF:  # behind Exif, where readers expect it first
            end += 2 + struct.unpack_from(">H", data, end + 2)[0]
        return data[:end] + comments + data[end:]

    @staticmethod
    def padded_movie(data, size):
        missing = size - len(data)
        return data + struct.pack(">I", missing) + b"free" + b"\0" * (missing - 8)

    def put(self, photo, movie):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "out"))
        for extension, which in ((".JPG", photo), (".MOV", movie)):
            with open(os.path.join(self.folder, STEM + extension), "wb") as file:
                file.write(self.contents[extension][which])

    def command(self, name):
        words = [w.replace("out", self.folder + "/out") if w == "out" else w for w in self.COMMANDS[name]]
        return run([self.program, *words, self.folder if name == "list" else os.path.join(self.folder, PHOTO)])

    def renders(self, name):
        """The digests of the renders, photo and movie."""
        found = visible(self.folder)
        wanted = [("out/" + STEM if name == "export" else "IMG_E0003") + e for e in (".JPG", ".MOV")]
        return tuple(found[w] and hashlib.sha256(found[w][1]).hexdigest() for w in wanted if w in found)

    def of_what_is_there(self, name):
        """The renders that the originals as they are now give; they take the place of those that are there."""
        originals = {n: visible(self.folder)[n][1] for n in (STEM + ".JPG", STEM + ".MOV")}
        self.put(0, 0)
        for n, content in originals.items():
            with open(os.path.join(self.folder, n), "wb") as file:
                file.write(content)
        return self.renders(name) if self.command(name).status == 0 else None

    def fault(self, way, extension):
        a, b = self.contents[extension]
        path = os.path.join(self.folder, STEM + extension)
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
        said = outcome.err.strip()
        if outcome.status not in (0, 1) or outcome.status == 1 and name != "verify" and not (is_explained(said) and names_file(said)):
            raise Lost(f"exit {outcome.status}, “{said}”")
        left = [n for n in litter(self.folder) if os.path.basename(n).startswith(".liveedit-")]
        if left:
            raise Lost(f"litter: {left}")
        early = "" if was_early else "after the end: "
        if name in ("verify", "list"):
            return early + ("said so" if outcome.status else "told")
        renders = self.renders(name)
        if outcome.status == 1:
            if renders:
                raise Lost(f"it failed and left {names(visible(self.folder))}")
            return early + "refused"
        checked = run([self.program, "check", self.folder])
        if checked.status not in (0, 1):
            raise Lost(f"check: exit {checked.status}, {checked.err.strip()}")
        # Of which contents it was made.
        of = [pair for pair, made in self.made[name].items() if made == renders]
        if not of and way in ("cut", "grown") and self.of_what_is_there(name) == renders:
            return early + "a render of what is there"
        if not of:
            if checked.status == 1:
                return early + "a mix, which check names"
            raise Lost("a mix is recorded as sound" if name != "export" else "a mix is handed on")
        if name == "export":
            return early + "one of both"
        with open(os.path.join(self.folder, STEM + extension), "rb") as file:
            now = file.read()
        is_same = now == self.contents[extension][of[0][extension == ".MOV"]]
        if checked.status == 0 and not is_same and self.of_what_is_there(name) != renders:
            raise Lost(f"a render of what is no longer there is recorded as sound: “{said}”")
        return early + ("check names the change" if checked.status else "a render of what is there")

    def points(self):
        options = self.context.options
        for name in self.COMMANDS:
            if options.scenario and name not in options.scenario:
                continue
            for way in self.WAYS:
                for number in range(options.moments):
                    extension = (".JPG", ".MOV")[number % 2]
                    delay = self.context.chance.uniform(0, self.seconds[name] * 1.05)
                    try:
                        yield name, way, self.point(name, way, extension, delay), None
                    except Lost as lost:
                        yield name, f"{way}, {extension} after {delay:.3f} s", "lost", str(lost)
