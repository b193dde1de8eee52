"""Searches crops of photos and movies for pictures that show the part that was cut off."""

import collections
import concurrent.futures
import io
import os

import numpy as np
from PIL import Image

import assets
import places
from likeness import KEPT, Wholes, other_shape
from pictures import extract, pictures, shown
from previews import MARK, built

CROP = ["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"]
# A page of `liveedit preview` is left out, because it also shows the original.
CROPS = [
    [CROP],
    [["adjust", "--exposure", "0.2", "--saturation", "-0.1"], CROP],
    [[*CROP, "--photo-format", "jpeg"]],
    [[*CROP, "--photo-format", "heic"]],
    [CROP, ["rotate", "--degrees", "90"]],
    [CROP, ["export", "--as", "still"]],
    [CROP, ["export", "--as", "motion-photo"]],
    [CROP, ["describe", "--title", "Part"]],
    [CROP, ["export", "--as", "image"]],
    [CROP, ["export", "--as", "image", "--format", "webp", "--size", "300"]],
    [CROP, ["export", "--as", "movie", "--container", "mp4"]],
]
# Files that show the mark only in the picture itself.
WITHOUT_PREVIEW = ("heic-plain", "heic-grid")


def shows_mark(picture):
    red, green, blue = (np.asarray(picture)[..., channel].astype(int) for channel in range(3))
    return ((red > 160) & (green < 110) & (blue > 160)).mean() > 0.004


def raw_mark(path):
    """Whether a file contains uncompressed pixels of the mark, packed or not."""
    with open(path, "rb") as opened:
        data = opened.read()
    return any(bytes(MARK) * 8 in part for part in places.unpacked(data)) and not data.startswith(b"\x89PNG")


def is_frame(what):
    return what.startswith("first frame")


class Original:
    """The pictures of a real asset, and the appearance of its crops."""

    def __init__(self, paths, undecoded):
        found = [one for path in paths for one in pictures(path, undecoded) if not one[0].startswith("tile")]
        self.whole = shown(paths[0])
        self.found = found + ([("picture as shown", self.whole)] if self.whole else [])
        self.wholes = Wholes([picture for _, picture in self.found])
        self.shape = self.whole.width / self.whole.height * KEPT / 100 if self.whole else None
        # Frames are compared as coded, so they may be rotated.
        frames = [picture.width / picture.height for what, picture in found if is_frame(what)]
        self.frame_shapes = [shape for ratio in frames for shape in (ratio * KEPT / 100, ratio / KEPT * 100)]

    def unseen(self):
        """The original's pictures that would go unnoticed in a crop, and the number of pictures too plain to decide."""
        missed, plain = [], 0
        for what, picture in self.found:
            if Wholes.is_plain(picture):
                plain += 1
                continue
            squeezed = recompressed(picture.resize((max(round(picture.height * self.shape), 8), picture.height)) if self.shape else picture)
            if not self.wholes.alarm(squeezed, True):
                missed.append(what)
        return missed, plain


def recompressed(picture):
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=70)
    return Image.open(out).convert("RGB")


def faults(path, original, same_colors, undecoded):
    """(number of pictures in a new file, its errors). Without an original, any picture of the whole shows the mark."""
    said, seen = [], 0
    if not original and raw_mark(path):
        said.append("uncompressed pixels of the mark")
    photo = shown(path) if path.lower().endswith(assets.PHOTOS) else None
    shape = photo.width / photo.height if photo else original.shape if original else None
    if original and photo and original.shape and other_shape(photo, original.shape):
        said.append(f"does not have the shape of the part, {photo.width}x{photo.height}")
    for what, picture in pictures(path, undecoded):
        seen += 1
        size = f"{picture.width}x{picture.height}"
        if not original and shows_mark(picture):
            said.append(f"{what} shows the mark, {size}")
        if what.startswith("tile"):
            continue
        if is_frame(what):
            if original and original.frame_shapes and all(other_shape(picture, wanted) for wanted in original.frame_shapes):
                said.append(f"{what} has another shape, {size}")
        elif shape and other_shape(picture, shape):
            said.append(f"{what} has another shape, {size} for {shape:.3f}")
        alarm = original and original.wholes.alarm(picture, same_colors)
        if alarm:
            said.append(f"{what} {alarm}")
    return seen, said


def cropped(program, scratch, only):
    """Yields (finding in a crop, the command line); `cropped.counts` contains the counts."""
    sources = [(name, paths, True) for name, paths in built(os.path.join(scratch, "previews")) if not only or only in name]
    extract(os.path.join(scratch, "previews"))
    for name, paths, _ in sources:
        if not raw_mark(paths[0]) and sum(shows_mark(picture) for _, picture in pictures(paths[0])) < (1 if name in WITHOUT_PREVIEW else 2):
            yield f"{name}: the mark was not found in the built file; the search does not work", ""
    samples = os.environ.get("LIVEEDIT_SAMPLES")
    found = assets.assets([os.path.join(assets.PROJECT, "Fixtures")] + ([samples] if samples else []))
    real = [(os.path.relpath(paths[0], assets.PROJECT), paths, False) for paths in found if not paths[0].lower().endswith(assets.MOVIES)]
    sources += [source for source in real if not only or only in source[0]]
    counts, refusals, undecoded = collections.Counter(sources=len(sources)), collections.Counter(), []
    work = []
    for index, (name, paths, is_marked) in enumerate(sources):
        large = sum(map(os.path.getsize, paths)) > assets.LARGE
        work += [(name, paths, is_marked, crop) for number, crop in enumerate(CROPS) if number == 0 or not large or number % 4 == index % 4]

    def make(index):
        return assets.made(program, work[index][-1], work[index][1], os.path.join(scratch, "cropped", f"{index:04}"))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(make, range(len(work))))
    extract(os.path.join(scratch, "cropped"))
    name, original = None, None
    for one, (files, refused, shown_commands) in zip(work, made):
        if one[0] != name:
            name, original = one[0], None if one[2] else Original(one[1], undecoded)
            if original:
                missed, plain = original.unseen()
                counts["pictures of wholes known"] += len(original.found) - plain
                counts["too plain to tell"] += plain
                for what in missed:
                    yield f"{name}: {what} would go unnoticed if it were left uncropped; the search does not work", ""
        counts["crops"] += bool(files)
        counts["crops of fixtures and samples"] += bool(files and original)
        if refused:
            counts["refused"] += 1
            refusals[refused.splitlines()[0].split(": ", 2)[-1]] += 1
        for path in files:
            seen, said = faults(path, original, not any(words[0] == "adjust" for words in one[3]), undecoded)
            counts["files"] += 1
            counts["pictures in them"] += seen
            for line in said:
                yield f"{name}: {os.path.basename(path)}: {line}", shown_commands
    counts["items that no library decodes"] = len(undecoded)
    cropped.counts, cropped.refusals = counts, refusals
