"""The scenarios for the tests that disturb commands: the commands before, the disturbed command, and the next one."""
import contextlib
import os
import shutil
import sqlite3

from crash.extras import extras
from crash.scenario import STEM, Move, Scenario


def all_scenarios(commands, blocks):
    """All scenarios whose commands this liveedit has."""
    yield from scenarios(commands, blocks)
    for scenario in extras():
        if scenario.command[0] in commands:
            scenario.is_usual, scenario.is_extra = False, True
            yield scenario


def scenarios(commands, blocks):
    """The basic scenarios, which every run includes; one of them decodes and encodes, and short runs leave it out."""
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
    baked = ["rotate", "--degrees", "90", photo]
    yield Scenario("baked", [], baked, baked, is_usual=False)
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
        # One after the other, because the log of a disturbed call covers one helper.
        both += ["--jobs", "1"]
        yield Scenario("block", [turn], both, both,
                       originals=[STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"])


def collections_and_repairs(photo, turn):
    """The commands that change the catalogue but no pictures."""
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
    yield Scenario("unalbum", marked, ["album", "remove", "Summer", photo], add[:-1] + [other], two, publishes=False)
    yield Scenario("delete", marked, ["album", "delete", "Summer", "{}"], favourite[:1] + ["--favourite", other], two, publishes=False)
    yield Scenario("forget", marked, ["forget", photo], turn[:-1] + [other], two, publishes=False)
    forget = ["forget", "--to", "{}/out", photo]
    yield Scenario("keep", [turn, spoil_render, turn], forget, forget, is_one_end=True, publishes=False)
    yield Scenario("rebuild", marked + [lose_catalogue], check, check, two, is_one_end=True, publishes=False)
    yield Scenario("replace", marked + [damage_catalogue], check, check, two, is_one_end=True, publishes=False)
    yield Scenario("stale", [turn, keep_catalogue, *marked, take_kept_catalogue], check, check, two, is_one_end=True, publishes=False)
    yield Scenario("stuck", marked + [obstruct], check, check, two, is_one_end=True, publishes=False)


def moves(photo, turn):
    """The commands that rename originals, and the command that accepts changed originals."""
    other = "{}/IMG_0002.JPG"
    two = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
    create = ["album", "create", "Summer", "{}"]
    marked = [turn, turn, ["mark", "--favourite", photo], create, ["album", "add", "Summer", photo, other]]
    hide = ["mark", "--hidden", other]
    yield Move("rename", marked, ["move", photo, "{}/Beach"], hide, two, places=["."])
    yield Move("move", marked, ["move", photo, "{}/out"], hide, two)
    # The next command reads the other folder first.
    yield Move("plain", [], ["move", photo, "{}/out/IMG_0009.JPG"], ["album", "create", "Summer", "{}/out"], two)
    repair = ["check", "--repair", "{}", "{}/out"]
    yield Move("follow", marked + [rename_originals], repair[:-1], repair[:-1], two, is_one_end=True, places=["."])
    yield Move("chase", marked + [move_originals], repair, repair, two, is_one_end=True)
    accept = ["check", "--accept", photo]
    yield Scenario("accept", marked + [tag_original], accept, accept, two, is_one_end=True, publishes=False)


def rename_originals(folder):
    """Renames the originals as another program would, and leaves the rendered files behind."""
    for ending in (".JPG", ".MOV"):
        os.rename(os.path.join(folder, STEM + ending), os.path.join(folder, "Beach" + ending))


def move_originals(folder):
    """Moves the originals and one half of the rendered pair to another folder, as another program would."""
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


def keep_catalogue(folder):
    shutil.copy(os.path.join(folder, ".liveedit/library.sqlite"), os.path.join(folder, ".liveedit/old"))


def take_kept_catalogue(folder):
    """Restores the kept catalogue, like a sync program that mistakes the newer one for a conflict copy."""
    library = os.path.join(folder, ".liveedit/library")
    os.rename(library + ".sqlite", library + ".sync-conflict-20261130-101112-ABCDEFG.sqlite")
    os.rename(os.path.join(folder, ".liveedit/old"), library + ".sqlite")


def damage_catalogue(folder):
    """Overwrites the root page of the table of versions."""
    path = os.path.join(folder, ".liveedit/library.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as catalogue:
        page = catalogue.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'version'").fetchone()[0]
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 64)


def obstruct(folder):
    """Puts a file at the path that the current version's photo gets when it stops being the current one."""
    with open(os.path.join(folder, ".liveedit/versions", STEM, "2", STEM.replace("_", "_E") + ".JPG"), "w") as file:
        file.write("obstacle")


def spoil_render(folder):
    """Changes a rendered file as another program would, which turns it into a version that cannot be rendered again."""
    path = os.path.join(folder, "IMG_E0003.JPG")
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        # A comment before the end of the picture.
        file.write(content[:2] + b"\xff\xfe\x00\x07other" + content[2:])


def makers(photo):
    """The commands that write new files into another folder. The next command wants to use one of their names."""
    movie = photo.replace(".JPG", ".MOV")
    still = ["export", "--as", "still", "-o", "{}/out", photo]
    at = ["create", "--photo", photo, "--movie", movie, "-o", "{}/out", "--still-at"]
    turned = ["rotate", "--degrees", "90", "--lossless", photo]
    yield Scenario("create", [], at + ["0.2"], at + ["0.4"])
    two = [STEM + ".JPG", STEM + ".MOV", "IMG_0002.JPG", "IMG_0002.MOV"]
    # Halves that were separated.
    yield Scenario("pair", [], ["pair", "-o", "{}/out", photo, "{}/IMG_0002.MOV"], still, [STEM + ".JPG", "IMG_0002.MOV"])
    yield Scenario("tie", [], ["repair", "-o", "{}/out", "{}"], still, before=part)
    yield Scenario("export", [turned], ["export", "--as", "pair", "--version", "original", "-o", "{}/out", photo], still + ["--version", "original"])
    yield Scenario("bundle", [], ["export", "--as", "pvt", "-o", "{}/out", photo], ["export", "--as", "pvt", "--strip", "all", "-o", "{}/out", photo])
    adjusted = [["adjust", "--exposure", value, photo.replace(STEM, stem)] for stem, value in ((STEM, "0.3"), ("IMG_0002", "0.2"))]
    save = [["preset", "save", "mine", "--from", photo.replace(STEM, stem)] for stem in (STEM, "IMG_0002")]
    yield Scenario("preset", adjusted, *save, two, publishes=False)


def part(folder):
    """Renames the movie, so that only the identifier shows which photo it belongs to."""
    os.rename(os.path.join(folder, STEM + ".MOV"), os.path.join(folder, "clip.MOV"))
