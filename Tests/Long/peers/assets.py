"""Assets to edit, the edits, and runs of liveedit that write new files."""

import json
import os
import shutil
import signal
import subprocess
import tempfile

PROJECT = os.path.abspath(os.path.join(__file__, "../../../.."))
PHOTOS = (".jpg", ".jpeg", ".heic", ".heif", ".png")
MOVIES = (".mov", ".mp4")
LARGE = 1_500_000  # an asset with at least this many bytes gets only some of the edits

# name, commands, the effect on the displayed size ("same", "swapped", or None), whether the complete movie is kept
EDITS = [
    ("rotate", [["rotate", "--degrees", "90"]], "swapped", True),
    ("turn over", [["rotate", "--degrees", "180"]], "same", True),
    ("flip", [["flip", "--horizontal"]], "same", True),
    ("lossless turn", [["rotate", "--degrees", "270", "--lossless"]], "swapped", True),
    ("crop", [["crop", "--rect", "10,12,70,60", "--unit", "percent"]], None, True),
    ("adjust", [["adjust", "--exposure", "0.3", "--saturation", "0.2", "--temperature", "5600"]], "same", True),
    ("detail", [["adjust", "--highlights", "-0.4", "--shadows", "0.3", "--sharpness", "0.3"]], "same", True),
    ("straighten", [["straighten", "--degrees", "2.5"]], None, True),
    ("perspective", [["perspective", "--vertical", "0.2"]], None, True),
    ("trim", [["trim", "--from", "0.3", "--to", "1.3", "--key-photo", "0.7"]], None, False),
    ("lossless trim", [["trim", "--to", "1.2", "--key-photo", "0.6", "--lossless"]], None, False),
    ("key-photo", [["key-photo", "--at", "0.5"]], None, True),
    ("loop", [["effect", "loop"]], None, False),
    ("bounce", [["effect", "bounce"]], None, False),
    ("long-exposure", [["effect", "long-exposure"]], "same", True),
    ("volume", [["sound", "--volume", "0.5"]], "same", True),
    ("mute", [["sound", "--mute"]], "same", True),
    ("as JPEG", [["adjust", "--exposure", "0.1", "--photo-format", "jpeg"]], "same", True),
    ("as HEIC", [["adjust", "--exposure", "0.1", "--photo-format", "heic"]], "same", True),
    ("as HEVC", [["rotate", "--degrees", "180", "--video-codec", "hevc"]], "same", True),
    ("as H.264", [["rotate", "--degrees", "180", "--video-codec", "h264"]], "same", True),
    ("date", [["date", "--shift", "+1h"]], "same", True),
    ("place", [["place", "--set", "48.137,11.575,519"]], "same", True),
    ("no place", [["place", "--remove"]], "same", True),
    ("describe", [["describe", "--title", "A title", "--caption", "What is seen", "--keyword", "+one,+two", "--rating", "4"]], "same", True),
    ("pair", [["export", "--as", "pair"]], "same", True),
    ("pair without place", [["export", "--as", "pair", "--strip", "location"]], "same", True),
    ("pair without anything", [["export", "--as", "pair", "--strip", "all"]], "same", True),
    ("still", [["export", "--as", "still"]], "same", True),
    ("still without anything", [["export", "--as", "still", "--strip", "all"]], "same", True),
    ("movie", [["export", "--as", "movie"]], "same", True),
    ("movie without place", [["export", "--as", "movie", "--strip", "location"]], "same", True),
    ("movie as MP4", [["export", "--as", "movie", "--container", "mp4"]], "same", True),
    ("movie as MP4 without anything", [["export", "--as", "movie", "--container", "mp4", "--strip", "all"]], "same", True),
    ("Motion Photo", [["export", "--as", "motion-photo"]], "same", True),
    ("Motion Photo with a trailer", [["export", "--as", "motion-photo", "--samsung"]], "same", True),
    ("Motion Photo without anything", [["export", "--as", "motion-photo", "--strip", "all"]], "same", True),
    ("JPEG image", [["export", "--as", "image"]], None, True),
    ("small image", [["export", "--as", "image", "--size", "320", "--quality", "small", "--profile", "srgb"]], None, True),
    ("PNG image", [["export", "--as", "image", "--format", "png", "--size", "640"]], None, True),
    ("WebP image", [["export", "--as", "image", "--format", "webp", "--size", "640"]], None, True),
    ("image without place", [["export", "--as", "image", "--strip", "location"]], None, True),
    ("image without anything", [["export", "--as", "image", "--strip", "all"]], None, True),
    ("video", [["export", "--as", "video", "--size", "360"]], None, True),
    ("video without anything", [["export", "--as", "video", "--size", "360", "--strip", "all"]], None, True),
    ("GIF", [["export", "--as", "gif"]], None, False),
    ("WebP", [["export", "--as", "webp"]], None, False),
    ("for Photos", [["crop", "--aspect", "4:3"], ["export", "--as", "apple"]], None, True),
    ("crop as Motion Photo", [["crop", "--aspect", "4:5"], ["adjust", "--exposure", "0.2"], ["export", "--as", "motion-photo"]], None, True),
    ("trim as MP4", [["trim", "--from", "0.2", "--to", "1.2", "--key-photo", "0.6"], ["export", "--as", "movie", "--container", "mp4"]], None, False),
]
# Edits that write files of another kind or in other colours: only complaints of peers about them are compared, not other statements.
CONVERSIONS = ("as ", "JPEG image", "small image", "PNG image", "WebP", "image ", "video", "GIF")
# Every asset gets these. Of the others, a small asset gets every second one and a large asset every tenth, different ones for each asset.
OF_SMALL, OF_LARGE = 2, 10
USUAL = ["rotate", "crop", "key-photo", "Motion Photo", "pair without place"]
QUICK = USUAL + ["lossless turn", "adjust", "straighten", "trim", "as JPEG", "describe", "movie as MP4", "still without anything", "JPEG image", "GIF"]


def assets(folders):
    """The assets below folders: lists of paths, with the photo first, that share folder and stem."""
    found = {}
    for folder in folders:
        for root, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                stem, extension = os.path.splitext(name)
                if extension.lower() in PHOTOS + MOVIES:
                    found.setdefault((root, stem), []).append(os.path.join(root, name))
    return [sorted(paths, key=lambda path: path.lower().endswith(MOVIES)) for paths in found.values()]


def copied(paths, folder):
    """Copies an asset and its sidecars into an empty folder; returns the copies in the same order."""
    os.makedirs(folder)
    stem = os.path.splitext(paths[0])[0]
    for extension in (".AAE", ".aae", ".xmp", ".XMP"):
        if os.path.exists(stem + extension):
            # If the render that it records is missing, liveedit's own adjustment data makes every edit fail.
            with open(stem + extension, "rb") as opened:
                if b"org.liveedit.edit" not in opened.read():
                    shutil.copy(stem + extension, folder)
    return [shutil.copy(path, folder) for path in paths]


def liveedit(program, words, folder, seconds=600):
    """(status, objects of --json, output); for a crash or an endless run, only the output."""
    try:
        ended = subprocess.run([program, *words, "--json"], cwd=folder, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL,
                               errors="replace", env=os.environ | {"LC_ALL": "C.UTF-8", "HOME": folder})
    except subprocess.TimeoutExpired:
        return None, [], f"does not end within {seconds} s"
    if ended.returncode < 0:
        return ended.returncode, [], f"crashes: {signal.Signals(-ended.returncode).name}"
    lines = []
    for line in ended.stdout.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            pass
    return ended.returncode, lines, ended.stderr.strip()


def made(program, commands, paths, folder):
    """Runs commands on a copy of an asset: (new files, the refusal or None, the command line as people type it)."""
    copies = copied(paths, folder)
    out = os.path.join(folder, "out")
    os.mkdir(out)
    shown = []
    for index, words in enumerate(commands):
        last = index == len(commands) - 1
        target = "out/page.html" if words[0] == "preview" else "out"
        line = words + (["-o", target] if last else []) + [os.path.basename(copies[0])]
        shown.append("liveedit " + " ".join(line))
        status, _, said = liveedit(program, line, folder)
        if status != 0:
            return [], said or f"exit {status}", "; ".join(shown)
    kept = {open(path, "rb").read() for path in copies}
    files = []
    for root, _, names in os.walk(out):
        for name in sorted(names):
            path = os.path.join(root, name)
            if name.lower().endswith(PHOTOS + MOVIES + (".webp", ".gif", ".html")) and open(path, "rb").read() not in kept:
                files.append(path)
    return files, None, "; ".join(shown)


def movie_inside(path):
    """Where a movie begins and ends in a photo, or None: the last `ftyp` after the photo's own, or Samsung's box."""
    with open(path, "rb") as opened:
        data = opened.read()
    if path.lower().endswith((".heic", ".heif")):
        at = 0
        while at + 8 <= len(data):
            size = int.from_bytes(data[at:at + 4], "big")
            kind, head = data[at + 4:at + 8], 8
            if size == 1:
                size, head = int.from_bytes(data[at + 8:at + 16], "big"), 16
            size = size or len(data) - at
            if size < head:
                return None
            if kind == b"mpvd":
                return at + head, boxes_end(data, at + head, at + size)
            at += size
        return None
    if not path.lower().endswith((".jpg", ".jpeg")):
        return None
    at = data.find(b"ftyp", 4)
    while at >= 0:
        start = at - 4
        if 16 <= int.from_bytes(data[start:at], "big") <= 64 and data[at + 4:at + 8] in (b"qt  ", b"mp42", b"mp41", b"isom", b"iso2", b"MSNV", b"avc1"):
            return start, boxes_end(data, start, len(data))
        at = data.find(b"ftyp", at + 4)
    return None


def boxes_end(data, at, end):
    """Where the boxes of a movie end: at the first bytes that do not belong to a box."""
    known = (b"ftyp", b"wide", b"mdat", b"moov", b"free", b"skip", b"moof", b"mfra", b"sidx", b"uuid", b"udta", b"meta", b"styp")
    while at + 8 <= end and data[at + 4:at + 8] in known:
        size = int.from_bytes(data[at:at + 4], "big")
        size = int.from_bytes(data[at + 8:at + 16], "big") if size == 1 else size or end - at
        if size < 8 or at + size > end:
            return end
        at += size
    return at


def carved(path, folder):
    """The movie in a photo as a separate file, or None."""
    place = movie_inside(path)
    if not place:
        return None
    with open(path, "rb") as opened:
        opened.seek(place[0])
        data = opened.read(place[1] - place[0])
    out = os.path.join(tempfile.mkdtemp(dir=folder), os.path.basename(path) + (".movie.mov" if data[8:12] == b"qt  " else ".movie.mp4"))
    with open(out, "wb") as opened:
        opened.write(data)
    return out
