"""Photos and movies with previews of every kind that show a mark, and the search for it in crops that cut it off."""

import base64
import collections
import concurrent.futures
import glob
import io
import os
import re
import struct
import subprocess
import zlib

import av
import numpy as np
import pillow_heif
from PIL import Image, ImageDraw, ImageFile

import assets
import places
from plain_boxes import (box, boxes, chunk, exif, exif_segment, extended_xmp, heif_with_item, into_moov, multi_picture, packet, resources, samsung, segment,
                         with_chunks, with_segments, xmp_segment)

ImageFile.LOAD_TRUNCATED_IMAGES = True
MARK = (255, 0, 255)
# What is kept of the width, from the left; the mark lies in the rest.
KEPT = 45
CROPS = [
    ("crop", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"]]),
    ("crop and colour", [["adjust", "--exposure", "0.2", "--saturation", "-0.1"], ["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"]]),
    ("crop as JPEG", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent", "--photo-format", "jpeg"]]),
    ("crop as HEIC", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent", "--photo-format", "heic"]]),
    ("crop and turn", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"], ["rotate", "--degrees", "90"]]),
    ("crop, still", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"], ["export", "--as", "still"]]),
    ("crop, Motion Photo", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"], ["export", "--as", "motion-photo"]]),
    ("crop, described", [["crop", "--rect", f"0,0,{KEPT},100", "--unit", "percent"], ["describe", "--title", "Part"]]),
]


def marked(width=640, height=480):
    """The scene with a mark at its right."""
    picture = places.scene(width, height)
    ImageDraw.Draw(picture).rectangle([width * 55 // 100, height // 10, width * 95 // 100, height * 9 // 10], fill=MARK)
    return picture


def heic_of(picture, **options):
    out = io.BytesIO()
    pillow_heif.from_pillow(picture).save(out, quality=80, **options)
    return out.getvalue()


def thumbnail_resource(small):
    coded = places.jpeg(small)
    row = (small.width * 24 + 31) // 32 * 4
    return struct.pack(">IIIIIIHH", 1, small.width, small.height, row, row * small.height, len(coded), 24, 1) + coded


def built(folder):
    """(name, path) of files with previews that show the mark."""
    os.makedirs(folder, exist_ok=True)
    picture = marked()
    still, small, middle = places.jpeg(picture), picture.resize((160, 120)), picture.resize((320, 240))
    thumb, preview = places.jpeg(small), places.jpeg(middle)
    raw = small.resize((64, 48)).tobytes()
    encoded = base64.b64encode(thumb).decode()
    thumbnails = packet("", "<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType='Resource'><xmpGImg:format>JPEG</xmpGImg:format><xmpGImg:width>160</xmpGImg:width>"
                        f"<xmpGImg:height>120</xmpGImg:height><xmpGImg:image>{encoded}</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>",
                        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/"')
    original = packet(f'GImage:Mime="image/jpeg" GImage:Data="{base64.b64encode(still).decode()}"', spaces='xmlns:GImage="http://ns.google.com/photos/1.0/image/"')
    jfif = segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1" + bytes([64, 48]) + raw)
    block = exif(thumbnail=thumb)
    note = lambda data: (0x927C, 7, len(data), data)
    jpegs = {
        "exif": with_segments(still, exif_segment(block)),
        "exif-little": with_segments(still, exif_segment(exif("<", thumbnail=thumb))),
        "exif-slack": with_segments(still, exif_segment(exif(thumbnail=thumb, behind=preview))),
        "maker-note": with_segments(still, exif_segment(exif(more=[note(b"MAKER\0" + preview)]))),
        "exif-private": with_segments(still, exif_segment(exif(ifd0=[(0xC6D3, 7, len(preview), preview)]))),
        "exif-twice": with_segments(still, exif_segment(exif()), exif_segment(block)),
        "jfif": b"\xff\xd8" + jfif + still[20:],
        "jfxx-jpeg": with_segments(still, segment(0xE0, b"JFXX\0\x10" + thumb)),
        "jfxx-rgb": with_segments(still, segment(0xE0, b"JFXX\0\x13" + bytes([64, 48]) + raw)),
        "photoshop": with_segments(still, resources((0x040C, thumbnail_resource(small)))),
        "photoshop-exif": with_segments(still, resources((0x0422, block))),
        "mpf": multi_picture(with_segments(still, exif_segment(exif())), preview),
        "mpf-two": multi_picture(with_segments(still, exif_segment(exif())), preview, thumb),
        "second": still + preview,
        "second-far": still + bytes(512) + preview,
        "second-whole": still + still,
        "xmp": with_segments(still, xmp_segment(thumbnails)),
        "xmp-extended": extended_xmp(still, original, packet()),
        "flashpix": with_segments(still, segment(0xE2, b"FPXR\0\2" + preview)),
        "app4": with_segments(still, segment(0xE4, b"PREVIEW\0" + preview)),
        "app-bare": with_segments(still, segment(0xE8, preview)),
        "comment": with_segments(still, segment(0xFE, thumb)),
        "samsung": still + samsung([(0x0100, "DualShot_Extra", still), (0x0A01, "Image_UTC_Data", b"1714550400000")]),
    }
    heic = heic_of(picture)
    heics = {
        "plain": heic,
        "thumbnail": heic_of(picture, thumbnails=[160]) if "thumbnails" in pillow_heif.HeifFile.save.__doc__ else heic,
        "exif": heif_with_item(heic, b"Exif", b"\0\0\0\6Exif\0\0" + block, reference=b"cdsc"),
        "exif-slack": heif_with_item(heic, b"Exif", b"\0\0\0\6Exif\0\0" + exif(thumbnail=thumb, behind=preview), reference=b"cdsc"),
        "jpeg-item": heif_with_item(heic, b"jpeg", preview),
        "xmp": heif_with_item(heic, b"mime", thumbnails, b"application/rdf+xml\0", reference=b"cdsc"),
        "uuid": heic + box("uuid", bytes(16), preview),
        "free": heic + box("free", preview),
        "behind": heic + preview,
        "mdat": heic + box("mdat", preview),
        "samsung": heic + samsung([(0x0100, "DualShot_Extra", still)], True),
        "second": two_pictures(picture),
    }
    out = io.BytesIO()
    picture.save(out, "PNG")
    png = out.getvalue()
    pngs = {
        "exif": with_chunks(png, chunk(b"eXIf", block)),
        "xmp": with_chunks(png, chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(thumbnails))),
        "raw-profile": with_chunks(png, chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(b"\nexif\n%8d\n" % (len(block) + 6) + (b"Exif\0\0" + block).hex().encode()))),
        "private": with_chunks(png, chunk(b"prVw", preview)),
        "behind": png + preview,
    }
    found = []
    for extension, kinds in (("JPG", jpegs), ("HEIC", heics), ("PNG", pngs)):
        for name, data in kinds.items():
            where = os.path.join(folder, f"{extension.lower()}-{name}")
            os.makedirs(where)
            path = os.path.join(where, f"IMG_0001.{extension}")
            with open(path, "wb") as opened:
                opened.write(data)
            found.append((f"{extension.lower()}-{name}", [path]))
    found += movies(folder, picture, preview)
    return found


def two_pictures(picture):
    """A HEIC with a second picture on the top level, which shows the whole in another size."""
    opened = pillow_heif.from_pillow(picture)
    opened.add_from_pillow(picture.resize((320, 240)))
    out = io.BytesIO()
    opened.save(out, quality=80, save_all=True)
    return out.getvalue()


def movies(folder, picture, preview):
    """Movies with cover art and other pictures of the whole."""
    image = os.path.join(folder, "frame.png")
    picture.save(image)
    plain = os.path.join(folder, "plain.mov")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-loop", "1", "-i", image, "-t", "1", "-r", "30", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "fast", plain], check=True)
    with open(plain, "rb") as opened:
        data = opened.read()
    cover = places.itunes(box("covr", box("data", struct.pack(">II", 13, 0), preview)))
    kinds = {
        "cover": into_moov(data, box("udta", cover)),
        "udta": into_moov(data, box("udta", box("thmb", preview))),
        "uuid": data + box("uuid", bytes(16), preview),
        "free": into_moov(data, box("free", preview)),
        "mdat": data + box("mdat", preview),
    }
    found = []
    for name, moov in kinds.items():
        where = os.path.join(folder, f"mov-{name}")
        os.makedirs(where)
        path = os.path.join(where, "IMG_0001.MOV")
        with open(path, "wb") as opened:
            opened.write(moov)
        found.append((f"mov-{name}", [path]))
    # A Motion Photo and a Live Photo's movie with cover art, beside and in a photo with a thumbnail.
    still = with_segments(places.jpeg(picture), exif_segment(exif(thumbnail=preview)))
    told = packet(f'GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="{len(kinds["cover"])}" GCamera:MicroVideoPresentationTimestampUs="300000"',
                  spaces='xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"')
    for name, files in {"motion-photo": [("IMG_0001.JPG", with_segments(still, xmp_segment(told)) + kinds["cover"])],
                        "motion-photo-bare": [("IMG_0001.JPG", still + kinds["cover"])]}.items():
        where = os.path.join(folder, name)
        os.makedirs(where)
        for file, moov in files:
            with open(os.path.join(where, file), "wb") as opened:
                opened.write(moov)
        found.append((name, [os.path.join(where, file) for file, _ in files]))
    return found


# The pictures in a file


def decoded(data):
    """A picture at the beginning of bytes, or None."""
    try:
        picture = Image.open(io.BytesIO(data))
        # An index of further pictures is none of the picture's own.
        picture.load()
        return picture.convert("RGB") if min(picture.size) > 7 else None
    except Exception:
        return None


def items(data):
    """(what, picture) of each item of a HEIF file that is a picture: its number is made that of the primary one."""
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
    # References that make an item a part of another one are hidden from the reader, but those of grids and overlays to their tiles.
    plain = bytearray(data)
    if b"iref" in inner:
        start, end, body = inner[b"iref"]
        tiles = set()
        for a, b, kind, at in boxes(data, body + 4, end):
            if kind == b"dimg":
                tiles |= {struct.unpack(">H", data[n:n + 2])[0] for n in range(at + 4, b, 2)} if data[body] == 0 else set()
            elif kind in (b"thmb", b"auxl", b"prem"):
                plain[a + 4:a + 8] = b"none"
    else:
        tiles = set()
    primary = inner[b"pitm"][2]
    for number, kind, at in found:
        if kind not in (b"hvc1", b"grid", b"iden", b"av01", b"jpeg", b"iovl") or number in tiles:
            continue
        one = bytearray(plain)
        one[at + 3] &= 0xFE
        one[primary + 4:primary + (6 if data[primary] == 0 else 8)] = number.to_bytes(2 if data[primary] == 0 else 4, "big")
        try:
            picture = pillow_heif.open_heif(bytes(one), convert_hdr_to_8bit=True)
            yield f"item {number} {kind.decode()}", picture.to_pillow().convert("RGB")
        except Exception:
            continue


def pictures(path):
    """(what, picture) of every picture that can be found in a file."""
    with open(path, "rb") as opened:
        data = opened.read()
    for depth, part in enumerate(places.unpacked(data)):
        for found in re.finditer(rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n", part):
            picture = decoded(part[found.start():])
            if picture:
                yield f"{'packed ' if depth else ''}picture at {found.start()}", picture
    yield from items(data)
    place = assets.movie_inside(path)
    if path.lower().endswith(assets.MOVIES) or place:
        source = io.BytesIO(data[place[0]:place[1]] if place else data)
        try:
            with av.open(source) as container:
                for stream in container.streams.video:
                    container.seek(0)
                    for frame in container.decode(stream):
                        yield f"first frame of stream {stream.index}", frame.to_image()
                        break
        except Exception:
            pass
    for extracted in sorted(glob.glob(glob.escape(path) + ".by-exiftool.*")):
        with open(extracted, "rb") as opened:
            picture = decoded(opened.read())
        if picture:
            yield f"exiftool's {extracted.rsplit('.', 2)[1]}", picture


def extract(folder):
    """Puts the pictures that exiftool finds in the files below a folder beside those files."""
    tags = ["-preview:all", "-PhotoshopThumbnail", "-ThumbnailTIFF", "-CoverArt", "-EmbeddedImage", "-MPImage2", "-MPImage3", "-GImage:all"]
    subprocess.run(["exiftool", "-q", "-q", "-r", "-a", "-b", "-W", "%d%f.%e.by-exiftool.%t%-c.%s", *tags, folder], capture_output=True)


def shows_mark(picture):
    red, green, blue = (np.asarray(picture)[..., channel].astype(int) for channel in range(3))
    return ((red > 160) & (green < 110) & (blue > 160)).mean() > 0.004


def raw_mark(path):
    """Whether uncompressed pixels of the mark stand in a file, packed or not."""
    with open(path, "rb") as opened:
        data = opened.read()
    return any(bytes(MARK) * 8 in part for part in places.unpacked(data)) and not data.startswith(b"\x89PNG")


def alike(one, other):
    """The correlation of two pictures, both reduced to one small size."""
    a, b = (np.asarray(picture.convert("L").resize((48, 48), Image.BOX), float) for picture in (one, other))
    a, b = a - a.mean(), b - b.mean()
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / scale) if scale else 0.0


def wrong_shape(picture, shape):
    """Whether a picture has neither the shape of the part nor that of the part turned by a quarter."""
    ratio = picture.width / picture.height
    return all(abs(ratio / wanted - 1) > 0.06 for wanted in (shape, 1 / shape))


def cropped(program, scratch, only):
    """Yields (what is found in a crop, the command line); counts are kept in `cropped.counts`."""
    sources = [(name, paths, True) for name, paths in built(os.path.join(scratch, "previews"))]
    extract(os.path.join(scratch, "previews"))
    for name, paths, _ in sources:
        if not raw_mark(paths[0]) and not any(shows_mark(picture) for _, picture in pictures(paths[0])):
            yield f"{name}: the mark is not found in the file that was built; the search does not work", ""
    samples = os.environ.get("LIVEEDIT_SAMPLES")
    found = assets.assets([os.path.join(assets.PROJECT, "Fixtures")] + ([samples] if samples else []))
    sources += [(os.path.relpath(paths[0], assets.PROJECT), paths, False) for paths in found if not paths[0].lower().endswith(assets.MOVIES)]
    sources = [source for source in sources if not only or only in source[0]]
    work = []
    for index, (name, paths, is_marked) in enumerate(sources):
        large = sum(map(os.path.getsize, paths)) > assets.LARGE
        work += [(name, paths, is_marked, *crop) for number, crop in enumerate(CROPS) if number == 0 or not large or number % 4 == index % 4]
    counts, refusals = collections.Counter(sources=len(sources)), collections.Counter()

    def make(index):
        return assets.made(program, work[index][-1], work[index][1], os.path.join(scratch, "cropped", f"{index:04}"))

    def look(index):
        paths, is_marked = work[index][1:3]
        files, refused, shown = made[index]
        said, seen = [], 0
        whole = None if is_marked or not files else decoded_file(paths[0])
        for path in files:
            if is_marked and raw_mark(path):
                said.append(f"{os.path.basename(path)}: uncompressed pixels of the mark")
            photo = decoded_file(path) if path.lower().endswith(assets.PHOTOS) else None
            shape, moving = photo.width / photo.height if photo else None, None
            for what, picture in pictures(path):
                seen += 1
                # A movie has a shape of its own: that of its first track.
                if what.startswith("first frame"):
                    moving = moving or picture.width / picture.height
                right = moving if what.startswith("first frame") else shape or moving
                if is_marked and shows_mark(picture):
                    said.append(f"{os.path.basename(path)}: {what} shows the mark, {picture.width}x{picture.height}")
                elif right and wrong_shape(picture, right):
                    said.append(f"{os.path.basename(path)}: {what} has another shape, {picture.width}x{picture.height} for {right:.3f}")
                elif whole and shape and wrong_shape(photo, whole.width / whole.height * KEPT / 100):
                    said.append(f"{os.path.basename(path)}: {what} has the shape of no part, {picture.width}x{picture.height}")
                elif whole and not what.startswith("first frame"):
                    part = whole.crop((0, 0, whole.width * KEPT // 100, whole.height))
                    turned = [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270]
                    views = [picture] + [picture.transpose(turn) for turn in turned]
                    with_whole, with_part = (max(alike(view, other) for view in views) for other in (whole, part))
                    if with_whole > with_part + 0.05 and with_whole > 0.8:
                        said.append(f"{os.path.basename(path)}: {what} is like the whole ({with_whole:.2f}), not like the part ({with_part:.2f})")
        return said, seen, len(files), refused, shown

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(make, range(len(work))))
        extract(os.path.join(scratch, "cropped"))
        for (name, *_), (said, seen, files, refused, shown) in zip(work, pool.map(look, range(len(work)))):
            counts["crops"] += bool(files)
            counts["files"] += files
            counts["pictures in them"] += seen
            if refused:
                counts["refused"] += 1
                refusals[refused.splitlines()[0].split(": ", 2)[-1]] += 1
            for line in said:
                yield f"{name}: {line}", shown
    cropped.counts, cropped.refusals = counts, refusals


def decoded_file(path):
    """A photo as it is shown."""
    from PIL import ImageOps
    try:
        if path.lower().endswith((".heic", ".heif")):
            return pillow_heif.open_heif(path).to_pillow().convert("RGB")
        with Image.open(path) as picture:
            return ImageOps.exif_transpose(picture).convert("RGB")
    except Exception:
        return None
