"""The pictures in a file: those that its format declares, and all others that can be found in its bytes."""

import glob
import io
import re
import struct
import subprocess

import av
import pillow_heif
from PIL import Image, ImageFile, ImageOps

import assets
import places
from plain_boxes import boxes

ImageFile.LOAD_TRUNCATED_IMAGES = True
pillow_heif.register_heif_opener()
# The types of HEIF items that contain a picture, or derive one from others.
CODED = (b"hvc1", b"av01", b"jpeg", b"grid", b"iden", b"iovl")


def decoded(data):
    """The picture at the beginning of some bytes, or None."""
    try:
        picture = Image.open(io.BytesIO(data))
        # An index of further pictures is not part of the picture itself.
        picture.load()
        return picture.convert("RGB") if min(picture.size) > 7 else None
    except Exception:
        return None


def items(data, undecoded):
    """(what, picture) of each HEIF item that is a picture: the script makes the item the primary one. Items that no reader decodes are
    added to `undecoded`."""
    if data[4:8] != b"ftyp" or data[8:12] in (b"qt  ", b"isom", b"mp42", b"mp41"):
        return
    meta = next((one for one in boxes(data) if one[2] == b"meta"), None)
    if not meta:
        return
    inner = {kind: (start, end, body) for start, end, kind, body in boxes(data, meta[3] + 4, meta[1])}
    if b"pitm" not in inner or b"iinf" not in inner:
        return
    start, end, body = inner[b"iinf"]
    found = []
    for _, _, kind, at in boxes(data, body + (6 if data[body] == 0 else 8), end):
        if kind == b"infe" and data[at] in (2, 3):
            number, rest = (struct.unpack(">H", data[at + 4:at + 6])[0], at + 6) if data[at] == 2 else (struct.unpack(">I", data[at + 4:at + 8])[0], at + 8)
            found.append((number, data[rest + 2:rest + 6], at))
    # References that make an item part of another one are hidden from the reader, except those from grids and overlays to their parts.
    plain, tiles = bytearray(data), set()
    kinds = {number: kind for number, kind, _ in found}
    if b"iref" in inner:
        start, end, body = inner[b"iref"]
        width = 2 if data[body] == 0 else 4
        for a, b, kind, at in boxes(data, body + 4, end):
            # Only a grid's tiles have no content of their own; a tone map and an identity refer to whole pictures.
            if kind == b"dimg" and kinds.get(int.from_bytes(data[at:at + width], "big")) == b"grid":
                tiles |= {int.from_bytes(data[n:n + width], "big") for n in range(at + width + 2, b, width)}
            elif kind in (b"thmb", b"auxl", b"prem"):
                plain[a + 4:a + 8] = b"none"
    primary = inner[b"pitm"][2]
    for number, kind, at in found:
        if kind not in CODED:
            continue
        one = bytearray(plain)
        one[at + 3] &= 0xFE
        one[primary + 4:primary + (6 if data[primary] == 0 else 8)] = number.to_bytes(2 if data[primary] == 0 else 4, "big")
        try:
            picture = pillow_heif.open_heif(bytes(one), convert_hdr_to_8bit=True).to_pillow().convert("RGB")
        except Exception:
            undecoded.append(f"item {number} {kind.decode()}")
            continue
        yield f"{'tile' if number in tiles else 'item'} {number} {kind.decode()}", picture


def frames(movie):
    """(what, picture) of the first frame of each video track of a movie."""
    try:
        with av.open(io.BytesIO(movie)) as container:
            for stream in container.streams.video:
                container.seek(0)
                for frame in container.decode(stream):
                    yield f"first frame of stream {stream.index}", frame.to_image()
                    break
    except Exception:
        pass


def pictures(path, undecoded=None):
    """(what, picture) of every picture that can be found in a file. Items that cannot be decoded are added to `undecoded`."""
    with open(path, "rb") as opened:
        data = opened.read()
    for depth, part in enumerate(places.unpacked(data)):
        for found in re.finditer(rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|RIFF....WEBP|GIF8[79]a", part, re.DOTALL):
            picture = decoded(part[found.start():])
            if picture:
                yield f"{'packed ' if depth else ''}picture at {found.start()}", picture
        # A page contains its movies in packed form.
        if depth and part[4:8] == b"ftyp":
            yield from frames(part)
    yield from items(data, [] if undecoded is None else undecoded)
    place = assets.movie_inside(path)
    if path.lower().endswith(assets.MOVIES) or place:
        yield from frames(data[place[0]:place[1]] if place else data)
    for extracted in sorted(glob.glob(glob.escape(path) + ".by-exiftool.*")):
        with open(extracted, "rb") as opened:
            picture = decoded(opened.read())
        if picture:
            yield f"exiftool's {extracted.rsplit('.', 2)[1]}", picture


def extract(folder):
    """Extracts the pictures that exiftool finds in the files below a folder, and stores them beside those files."""
    tags = ["-preview:all", "-PhotoshopThumbnail", "-ThumbnailTIFF", "-CoverArt", "-EmbeddedImage", "-MPImage2", "-MPImage3", "-GImage:all"]
    subprocess.run(["exiftool", "-q", "-q", "-r", "-a", "-b", "-W", "%d%f.%e.by-exiftool.%t%-c.%s", *tags, folder], capture_output=True)


def shown(path):
    """A photo as displayed."""
    try:
        if path.lower().endswith((".heic", ".heif")):
            return pillow_heif.open_heif(path).to_pillow().convert("RGB")
        with Image.open(path) as picture:
            return ImageOps.exif_transpose(picture).convert("RGB")
    except Exception:
        return None
