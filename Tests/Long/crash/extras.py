"""More commands as scenarios: commands that render, export, work with plans, or only read. Short runs leave them out."""
import glob
import os
import re
import shutil
import subprocess

from crash.scenario import PROJECT, STEM, Reader, Scenario

PHOTO = "{}/" + STEM + ".JPG"
OTHER = "{}/IMG_0002.JPG"
TWO = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
TURN = ["rotate", "--degrees", "90", "--lossless", PHOTO]
HIDE = ["mark", "--hidden", PHOTO]
STILL = ["export", "--as", "still", "-o", "{}/out", PHOTO]


def extras():
    yield from edits()
    yield from facts()
    yield from hands_on()
    yield from plans()
    yield from readers()


def edit(name, *words, **options):
    """An edit whose next command also opens the library but renders nothing."""
    return Scenario(name, options.pop("setup", []), [*words, PHOTO], HIDE, **options)


def edits():
    """The edits that decode and encode."""
    yield edit("crop", "crop", "--aspect", "1:1")
    yield edit("straighten", "straighten", "--degrees", "2")
    yield edit("perspective", "perspective", "--vertical", "0.1")
    yield edit("adjust", "adjust", "--exposure", "0.3")
    # The helper inspects the files first, then renders.
    yield edit("auto", "auto")
    yield edit("apply", "apply", "--preset", "vivid")
    yield edit("copy", "apply", "--from", OTHER, setup=[["rotate", "--degrees", "90", "--lossless", OTHER]], originals=TWO)
    yield edit("trim", "trim", "--from", "0.2", "--to", "0.8")
    yield edit("cut", "trim", "--to", "0.8", "--lossless")
    yield edit("key-photo", "key-photo", "--at", "0.2")
    # Fixture 2 has audio.
    yield Scenario("sound", [], ["sound", "--mute", OTHER], ["mark", "--hidden", OTHER], TWO[2:])
    yield edit("bounce", "effect", "bounce")
    yield edit("exposure", "effect", "long-exposure")
    adopt = ["adopt", "--photo", "{}/changed.JPG", PHOTO]
    yield Scenario("adopt", [turned_photo], adopt, HIDE)


    yield edit("live", "live", "off")
    heic = "{}/IMG_0004.HEIC"
    yield Scenario("heic", [], ["rotate", "--degrees", "90", heic], ["mark", "--hidden", heic], ["IMG_0004.HEIC", "IMG_0004.MOV"])
    yield Batched("batch", [TURN[:-1] + ["{}"], ["revert", OTHER]], ["revert", "--batch", "{batch}"], HIDE, TWO)


class Batched(Scenario):
    """A command that reads the list of an earlier batch. Lists name folders, so each copy of the folder has its own list."""

    def line(self, command, folder):
        line = super().line(command, folder)
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
        lists = glob.glob(os.path.join(folder, "state/liveedit/batches/*.jsonl"))
        for path in lists:
            with open(path) as file:
                text = file.read()
            if self.start in text:
                with open(path, "w") as file:
                    file.write(text.replace(self.start, folder))
        batch = os.path.basename(min(lists, default="none"))[:-len(".jsonl")]
        return [word.replace("{batch}", batch) for word in line]


def turned_photo(folder):
    """Adds a copy of the photo that another program rotated by its Exif orientation, as it would appear to a user."""
    shutil.copy(os.path.join(PROJECT, "Fixtures", STEM + ".JPG"), os.path.join(folder, "changed.JPG"))


def facts():
    """The edits to the metadata of both halves."""
    yield edit("date", "date", "--shift", "1h")
    yield edit("zone", "date", "--zone", "Europe/Rome")
    yield edit("place", "place", "--set", "48.137,11.575")
    yield edit("track", "place", "--gpx", "{}/track.gpx", setup=[write_track])
    yield edit("describe", "describe", "--title", "Sea")
    yield Scenario("agree", [], ["repair", "--agree", "{}"], HIDE, before=disagree)


def disagree(folder):
    """Gives the photo a different time than its movie."""
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-AllDates=2020:01:02 03:04:05", os.path.join(folder, STEM + ".JPG")], check=True)


def write_track(folder):
    """Writes a GPS track for the day on which the photo was taken."""
    with open(os.path.join(folder, "track.gpx"), "w") as file:
        file.write('<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
                   + "".join(f'<trkpt lat="48.1" lon="11.5"><time>2025-01-01T{hour:02}:{minute:02}:00Z</time></trkpt>'
                             for hour in range(24) for minute in range(60)) + "</trkseg></trk></gpx>")


def hands_on():
    """The commands that make new files from existing ones. The next command wants to use one of their names."""
    for form in ("gif", "webp", "motion-photo", "apple", "image", "video"):
        yield Scenario("export-" + form, [TURN], ["export", "--as", form, "-o", "{}/out", PHOTO], STILL)
    yield Sheet("sheet", [], ["sheet", "-o", "{}/out/sheet.jpg", PHOTO], STILL)
    yield Scenario("preview", [], ["preview", "-o", "{}/out/page.html", PHOTO], STILL)
    saved = [["adjust", "--exposure", "0.3", PHOTO], ["preset", "save", "mine", "--from", PHOTO]]
    yield Scenario("unset", saved, ["preset", "delete", "mine"], ["preset", "save", "other", "--from", PHOTO], publishes=False)


class Sheet(Scenario):
    """A command that makes one picture of several Live Photos. If it fails, its picture may show fewer of them and therefore differ."""

    def told(self, folder):
        files, *rest = super().told(folder)
        return {name: name.endswith("sheet.jpg") or content for name, content in files.items()}, *rest


class Planned(Scenario):
    """A command that makes a plan. The plan contains its folder's path, so only the names of the files can be compared."""

    def told(self, folder):
        plans = [os.path.join(path, name) for path, _, files in os.walk(os.path.join(folder, "plans")) for name in files]
        return *super().told(folder), sorted(re.sub(r"[0-9a-f]{8,}", "#", os.path.relpath(plan, folder)) for plan in plans)


def plans():
    """The commands that write a plan, render it and commit it."""
    plan, at = "{}/plans/turn.plan", ["--root", "{}"]
    made = ["plan", *TURN, *at, "--plan", plan]
    work = ["work", *at, plan]
    commit = ["commit", *at, plan]
    yield Planned("plan", [make_plans], made, work, publishes=False)
    yield Scenario("work", [make_plans, made], work, commit, publishes=False)
    yield Scenario("commit", [make_plans, made, work], commit, commit, is_one_end=True)


def make_plans(folder):
    os.mkdir(os.path.join(folder, "plans"))


def readers():
    """The commands that change nothing."""
    marked = [TURN, TURN, ["mark", "--favourite", PHOTO], ["album", "create", "Summer", "{}"], ["album", "add", "Summer", PHOTO]]
    yield Reader("list", marked, ["list", "--filter", "kind = live", "{}"], TWO)
    yield Reader("inspect", [], ["inspect", PHOTO, PHOTO.replace("JPG", "MOV")])
    yield Reader("verify", [], ["verify", PHOTO])
    yield Reader("history", marked, ["history", PHOTO])
    yield Reader("duplicates", [], ["duplicates", "{}"], before=double)
    yield Reader("similar", [], ["duplicates", "--similar", "{}"], before=double)
    yield Reader("check", marked, ["check", "{}"], TWO)
    yield Reader("albums-list", marked, ["album", "list", "{}"])
    yield Reader("presets", [["adjust", "--exposure", "0.3", PHOTO], ["preset", "save", "mine", "--from", PHOTO]], ["preset", "list"])


def double(folder):
    """Adds a copy of both halves beside them."""
    for ending in (".JPG", ".MOV"):
        shutil.copy(os.path.join(folder, STEM + ending), os.path.join(folder, "IMG_0009" + ending))
