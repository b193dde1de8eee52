"""Files with a location in every known layout, and the search for that location in files made from them."""

import base64
import binascii
import io
import os
import re
import struct
import subprocess
import zlib

import numpy as np
import pillow_heif
from PIL import Image

import assets
from plain_boxes import (box, boxes, chunk, exif, exif_segment, extended_xmp, heif_with_item, huawei_tail, into_moov, multi_picture, oppo_tail, packet,
                         rationals, resources, samsung, segment, text, with_chunks, with_segments, xmp_segment)

pillow_heif.register_heif_opener()
# A location where none of the samples was recorded.
LATITUDE, LONGITUDE = 61.2738491, -151.7382643
TOWN = "Quarzwiebelberg"
ISO6709 = "+61.2738-151.7382+123.456/"
DEGREES, MINUTES, SECONDS = (61, 1), (16, 1), (258568, 10000)
WEST = [(151, 1), (44, 1), (177515, 10000)]
XMP_PLACE = 'exif:GPSLatitude="61,16.430946N" exif:GPSLongitude="151,44.295858W"'
XMP_SPACES = ('xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
              'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" '
              'xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/"')


def needles():
    """The location in every form in which it is planted."""
    found = [text.encode(code) for text in (TOWN, "61.2738", "151.7382", "61,16.43", "151,44.29") for code in ("utf-8", "utf-16-le", "utf-16-be")]
    for one in "<>":
        found += [struct.pack(one + "II", *SECONDS), struct.pack(one + "II", *WEST[2]), struct.pack(one + "d", LATITUDE), struct.pack(one + "d", LONGITUDE)]
    found.append(struct.pack(">ii", round(LONGITUDE * 65536), round(LATITUDE * 65536)))
    return found


def gps(order=">"):
    return [(0, 1, 4, b"\2\3\0\0"), text(1, "N"), rationals(2, [DEGREES, MINUTES, SECONDS], order), text(3, "W"), rationals(4, WEST, order)]


# Layouts whose location `place --remove` leaves in unknown data, as Documentation/Limits.md says; exports with --strip remove it there too.
UNSEARCHED_BY_PLACE = ("heic-unknown-item", "pair-free")


def unpacked(data, depth=2):
    """The bytes of a file, and all data packed in it: PNG's compressed chunks, base64, hexadecimal profiles, zlib streams."""
    yield data
    if depth == 0:
        return
    if data.startswith(b"\x89PNG"):
        at = 8
        while at + 8 <= len(data):
            size, kind = struct.unpack(">I", data[at:at + 4])[0], data[at + 4:at + 8]
            body = data[at + 8:at + 8 + size]
            at += size + 12
            start = body.find(b"\0")
            if kind in (b"zTXt", b"iTXt", b"iCCP"):
                for begin in range(start + 1, min(len(body), start + 200)):
                    if body[begin:begin + 1] == b"\x78":
                        try:
                            yield from unpacked(zlib.decompressobj().decompress(body[begin:], 1 << 24), depth - 1)
                        except zlib.error:
                            pass
    for found in re.finditer(rb"[A-Za-z0-9+/\r\n]{400,}={0,2}", data):
        if len(set(found[0])) > 30:
            try:
                yield from unpacked(base64.b64decode(found[0] + b"=="), depth - 1)
            except (binascii.Error, ValueError):
                pass
    for found in re.finditer(rb"(?:[0-9a-f]{2}\s*){24,}", data):
        try:
            yield from unpacked(bytes.fromhex(found[0].decode()), depth - 1)
        except ValueError:
            pass
    if b"cmvd" in data:
        at = data.find(b"cmvd") + 8
        try:
            yield zlib.decompressobj().decompress(data[at:], 1 << 24)
        except zlib.error:
            pass


def traces(path, wanted):
    """The needles that a file still contains."""
    with open(path, "rb") as opened:
        data = opened.read()
    return sorted({needle for part in unpacked(data) for needle in wanted if needle in part})


def own_needles(paths):
    """The traces of a location in real files: ISO 6709 in their bytes, and coordinates as exiftool and Pillow report them."""
    found = set()
    for path in paths:
        with open(path, "rb") as opened:
            data = opened.read()
        found |= {match[0].rstrip(b"/") for match in re.finditer(rb"[+-]\d{2}\.\d{3,}[+-]\d{3}\.\d{3,}", data)}
        if path.lower().endswith((".jpg", ".jpeg", ".heic", ".png")):
            try:
                with Image.open(path) as picture:
                    directory = picture.getexif().get_ifd(0x8825)
            except Exception:
                continue
            for tag in (2, 4, 20, 22):
                for value in directory.get(tag, ()):
                    if getattr(value, "numerator", 0) > 60 and getattr(value, "denominator", 1) > 1:
                        for order in "<>":
                            # As stored, not in lowest terms: the bytes are first searched for in the original.
                            for factor in (1, 2, 4, 5, 10, 20, 25, 50, 100, 1000):
                                raw = struct.pack(order + "II", value.numerator * factor % 2**32, value.denominator * factor % 2**32)
                                if raw in data:
                                    found.add(raw)
    return sorted(found)


def planted(folder, found):
    """(name, files) of copies of real assets to which a location is added: by exiftool in photos and movies, and in the location atoms and
    the free atoms of movies in photos. Files that exiftool cannot write remain unchanged."""
    made = []
    for index, paths in enumerate(found):
        copies = assets.copied(paths, os.path.join(folder, f"{index:02}"))
        for path in copies:
            position = f"{LATITUDE} {LONGITUDE} 123.456"
            tags = [f"-Keys:GPSCoordinates={position}", f"-UserData:GPSCoordinates={position}", f"-ItemList:GPSCoordinates={position}", f"-Keys:LocationName={TOWN}"]
            if not path.lower().endswith(assets.MOVIES):
                tags = [f"-GPSLatitude={LATITUDE}", "-GPSLatitudeRef=N", f"-GPSLongitude={-LONGITUDE}", "-GPSLongitudeRef=W", f"-IPTC:City={TOWN}"]
            tags += [f"-XMP-photoshop:City={TOWN}", f"-XMP-exif:GPSLatitude={LATITUDE}", f"-XMP-exif:GPSLongitude={LONGITUDE}"]
            subprocess.run(["exiftool", "-q", "-q", "-m", "-overwrite_original", *tags, path], capture_output=True)
            movie = assets.movie_inside(path)
            if movie:
                with open(path, "r+b") as opened:
                    data = bytearray(opened.read())
                    plant_inside(data, *movie)
                    opened.seek(0)
                    opened.write(data)
        if any(traces(path, needles()) for path in copies):
            made.append((f"planted in {os.path.basename(os.path.dirname(paths[0]))}/{os.path.basename(paths[0])}", copies))
    return made


def plant_inside(data, at, end):
    """Writes the location into a movie's location atoms and free atoms, whose lengths do not change."""
    for start, stop, kind, body in list(boxes(data, at, end)):
        if kind in (b"moov", b"udta"):
            plant_inside(data, body, stop)
        text = b""
        if kind == b"\xa9xyz":
            text = struct.pack(">HH", stop - body - 4, 0x15C7) + b"+61.2738-151.7382/"
        elif kind == b"free":
            text = TOWN.encode()
        if len(text) <= stop - body:
            data[body:body + len(text)] = text


# Pictures and movies without a location, to which locations are added


def scene(width=640, height=480):
    y, x = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(7).integers(0, 24, (height, width, 3))
    return Image.fromarray((np.dstack([x * 200 // width, y * 200 // height, (x + y) * 100 // (width + height)]) + noise).astype(np.uint8))


def jpeg(picture, **options):
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88, **options)
    return out.getvalue()


def movie(folder, name, *options):
    """A 1.5 s movie with audio, with its tables after its media."""
    path = os.path.join(folder, name)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1.5", "-f", "lavfi", "-i", "sine=d=1.5", "-pix_fmt", "yuv420p",
                    "-c:v", "libx264", "-preset", "fast", "-c:a", "aac", *options, path], check=True)
    with open(path, "rb") as opened:
        return opened.read()


def full(kind, *parts):
    return box(kind, bytes(4), *parts)


def keys(*pairs, plain=True):
    """A meta box with keys (mdta), either as QuickTime writes it or with ISO's version and flags."""
    named = b"".join(box("mdta", key.encode()) for key, _ in pairs)
    values = b"".join(box(struct.pack(">I", index), box("data", struct.pack(">II", 1, 0), value.encode())) for index, (_, value) in enumerate(pairs, 1))
    inside = full("hdlr", bytes(4), b"mdta", bytes(13)), full("keys", struct.pack(">I", len(pairs)), named), box("ilst", values)
    return box("meta", *inside) if plain else full("meta", *inside)


def itunes(*items):
    return full("meta", full("hdlr", bytes(4), b"mdirappl", bytes(9)), box("ilst", *items))


def user_text(kind, value):
    return box(kind, struct.pack(">HH", len(value), 0x15C7), value.encode())


LOCI = full("loci", b"\x55\xc4", TOWN.encode() + b"\0", b"\0", struct.pack(">iii", round(LONGITUDE * 65536), round(LATITUDE * 65536), 0), b"earth\0\0")


def layouts(folder, fixtures):
    """(name, files of the asset, photo first) of all built layouts. The files are written below `folder`."""
    os.makedirs(folder, exist_ok=True)
    picture = scene()
    still, small = jpeg(picture), jpeg(picture.resize((160, 120)))
    bare_mov, bare_mp4 = movie(folder, "bare.mov"), movie(folder, "bare.mp4", "-movflags", "+use_metadata_tags")
    located_mov = into_moov(bare_mov, keys(("com.apple.quicktime.location.ISO6709", ISO6709), ("com.apple.quicktime.location.name", TOWN)))
    located_mp4 = into_moov(bare_mp4, box("udta", user_text(b"\xa9xyz", ISO6709), LOCI))
    with open(os.path.join(fixtures, "IMG_0004.HEIC"), "rb") as opened:
        heic = opened.read()
    out = io.BytesIO()
    picture.save(out, "PNG")
    png = out.getvalue()
    located = exif(gps=gps())
    xmp = packet(XMP_PLACE + f' photoshop:City="{TOWN}"', spaces=XMP_SPACES)
    deep = packet("", f"<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType='Resource'><Iptc4xmpExt:City>{TOWN}</Iptc4xmpExt:City>"
                      f"<exif:GPSLatitude>61,16.430946N</exif:GPSLatitude></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>"
                      f"<Iptc4xmpCore:Location>{TOWN}</Iptc4xmpCore:Location><drone-dji:GpsLatitude>+61.2738491</drone-dji:GpsLatitude>", XMP_SPACES)
    iptc = struct.pack(">BBBH", 0x1C, 2, 90, len(TOWN)) + TOWN.encode() + struct.pack(">BBBH", 0x1C, 2, 92, len(TOWN)) + TOWN.encode()

    def maker_note():
        # Panasonic's maker note, whose offsets count from the TIFF header: the town is stored after the directory, where readers look it up.
        for at in range(8, 400):
            note = b"Panasonic\0\0\0" + struct.pack("<HHHII", 1, 0x006D, 7, 20, at) + bytes(4) + TOWN.encode().ljust(20, b"\0")
            block = exif("<", more=[(0x927C, 7, len(note), note)])
            if block.find(TOWN.encode()) == at:
                return block
        raise AssertionError("no room for the maker note")

    jpegs = {
        "exif-be": with_segments(still, exif_segment(located)),
        "exif-le": with_segments(still, exif_segment(exif("<", gps=gps("<")))),
        "exif-slack": with_segments(still, exif_segment(exif(behind=b"old " + ISO6709.encode() + TOWN.encode()))),
        "exif-twice": with_segments(still, exif_segment(exif()), exif_segment(located)),
        "maker-note": with_segments(still, exif_segment(maker_note())),
        "thumbnail-exif": with_segments(still, exif_segment(exif(thumbnail=with_segments(small, exif_segment(located))))),
        "xmp": with_segments(still, exif_segment(exif()), xmp_segment(xmp)),
        "xmp-deep": with_segments(still, xmp_segment(deep)),
        "xmp-extended": extended_xmp(still, deep + b" " * 70000, packet()),
        "xmp-utf16": with_segments(still, xmp_segment(xmp.decode().encode("utf-16-be"))),
        "iptc": with_segments(still, resources((0x0404, iptc))),
        "photoshop-exif": with_segments(still, resources((0x0422, located), (0x0424, xmp))),
        "comment": with_segments(still, segment(0xFE, f"taken at {ISO6709} {TOWN}".encode())),
        "app-unknown": with_segments(still, segment(0xE5, b"MAKER\0" + ISO6709.encode() + TOWN.encode())),
        "behind-end": still + b"\0" * 16 + f"LOC {ISO6709} {TOWN}".encode(),
        "second-picture": multi_picture(with_segments(still, exif_segment(exif())), with_segments(small, exif_segment(located), xmp_segment(xmp))),
        "second-bare": still + with_segments(small, exif_segment(located)),
        "movie-behind": still + located_mov,
        "mp4-behind": still + located_mp4,
        "mp4-after-block": still + b"streamdata" + bytes(3000) + located_mp4,
        "huawei": still + huawei_tail(located_mp4),
        "samsung": still + samsung([(0x0A01, "Image_UTC_Data", b"1714550400000"), (0x0A30, "MotionPhoto_Data", located_mp4)]),
        "samsung-two": still + samsung([(0x0A33, "MotionPhoto_AutoPlay", located_mp4), (0x0A30, "MotionPhoto_Data", located_mp4)]),
        "samsung-block": still + samsung([(0x0A01, "Image_UTC_Data", b"1714550400000"), (0x0BF1, "Place_Info", f"{ISO6709}{TOWN}".encode())]),
    }
    container = ('xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:Container="http://ns.google.com/photos/1.0/container/" '
                 'xmlns:Item="http://ns.google.com/photos/1.0/container/item/" xmlns:OpCamera="http://ns.oplus.com/photos/1.0/camera/"')

    def motion_photo(first, trailer, more="", mime="image/jpeg"):
        inside = ("<Container:Directory><rdf:Seq>"
                  f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="{mime}" Item:Semantic="Primary"/></rdf:li>'
                  f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="{len(trailer)}"/></rdf:li>'
                  "</rdf:Seq></Container:Directory>")
        told = packet(f'GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="500000" {more}', inside, container)
        return with_segments(first, xmp_segment(told)) + trailer

    micro = lambda first, trailer: with_segments(first, xmp_segment(packet(
        f'GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="{len(trailer)}" GCamera:MicroVideoPresentationTimestampUs="500000"', spaces=container))) + trailer
    private = oppo_tail([("private.emptyspace", bytes(400)), ("travel.info", f"{TOWN} {ISO6709}".encode())])
    jpegs |= {
        "google": motion_photo(still, located_mp4),
        "google-exif": motion_photo(with_segments(still, exif_segment(located)), bare_mp4),
        "micro-video": micro(still, located_mp4),
        "oppo": motion_photo(still, located_mp4 + private, f'OpCamera:MotionPhotoOwner="oplus" OpCamera:OLivePhotoVersion="2" OpCamera:VideoLength="{len(located_mp4)}"'),
        "oppo-two": motion_photo(still, located_mp4 + bytes(500) + oppo_tail([("live.subVideo", located_mp4), ("travel.info", TOWN.encode())]),
                                 f'OpCamera:MotionPhotoOwner="oplus" OpCamera:OLivePhotoVersion="2" OpCamera:VideoLength="{len(located_mp4)}"'),
        "vivo": motion_photo(still, located_mp4 + box("uuid", b"vivoMediaExtInfo", f'{{"place":"{TOWN} {ISO6709}"}}'.encode())),
        "honor": still + huawei_tail(located_mp4 + box("uuid", b" honor.org.video", f"extend_type_matrix {ISO6709}".encode())),
        "two-movies": still + located_mp4 + located_mov,
    }
    heics = {
        "behind": heic + located_mp4,
        "samsung-raw": heic + samsung([(0x0A30, "MotionPhoto_Data", located_mp4)]),
        "samsung-sefd": heic + samsung([(0x0A01, "Image_UTC_Data", b"1714550400000"), (0x0A30, "MotionPhoto_Data", located_mp4)], True),
        "samsung-block": heic + samsung([(0x0BF1, "Place_Info", f"{ISO6709}{TOWN}".encode())], True),
        "mpvd": heic + box("mpvd", located_mp4),
        "huawei": heic + huawei_tail(located_mp4),
        "free": heic + box("free", f"old {ISO6709} {TOWN}".encode()),
        "uuid": heic + box("uuid", bytes.fromhex("be7acfcb97a942e89c71999491e3afac"), xmp),
        "mdat-slack": heic + box("mdat", located),
        "exif-item": heif_with_item(heic, b"Exif", b"\0\0\0\6Exif\0\0" + located, reference=b"cdsc"),
        "xmp-item": heif_with_item(heic, b"mime", xmp, b"application/rdf+xml\0", reference=b"cdsc"),
        "unknown-item": heif_with_item(heic, b"plce", ISO6709.encode() + TOWN.encode()),
    }
    pngs = {
        "exif": with_chunks(png, chunk(b"eXIf", located)),
        "xmp": with_chunks(png, chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + xmp)),
        "xmp-packed": with_chunks(png, chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(xmp))),
        "text": with_chunks(png, chunk(b"tEXt", b"GPSPosition\0" + ISO6709.encode() + TOWN.encode())),
        "raw-profile": with_chunks(png, chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(
            b"\nexif\n%8d\n" % (len(located) + 6) + binascii.hexlify(b"Exif\0\0" + located)))),
        "private-chunk": with_chunks(png, chunk(b"plCe", ISO6709.encode() + TOWN.encode())),
        "behind": png + located_mp4,
    }
    movies = {
        "keys.mov": located_mov,
        "udta-xyz.mov": into_moov(bare_mov, box("udta", user_text(b"\xa9xyz", ISO6709))),
        "udta-loci.mp4": into_moov(bare_mp4, box("udta", LOCI)),
        "udta-keys.mov": into_moov(bare_mov, box("udta", keys(("com.apple.quicktime.location.ISO6709", ISO6709)))),
        "udta-keys.mp4": into_moov(bare_mp4, box("udta", keys(("location", ISO6709), ("com.apple.quicktime.location.ISO6709", ISO6709), plain=False))),
        "itunes.mp4": into_moov(bare_mp4, box("udta", itunes(box(b"\xa9xyz", box("data", struct.pack(">II", 1, 0), ISO6709.encode()))))),
        "itunes-own.mp4": into_moov(bare_mp4, box("udta", itunes(box("----", full("mean", b"com.example"), full("name", b"location"), box("data", struct.pack(">II", 1, 0), ISO6709.encode()))))),
        "uuid-xmp.mp4": bare_mp4 + box("uuid", bytes.fromhex("be7acfcb97a942e89c71999491e3afac"), xmp),
        "udta-xmp.mov": into_moov(bare_mov, box("udta", box("XMP_", xmp))),
        "maker.mov": into_moov(bare_mov, box("udta", box("smta", box("plce", f"{ISO6709}{TOWN}".encode())))),
        "free.mov": into_moov(bare_mov, box("free", f"{ISO6709}{TOWN}".encode())),
        "behind.mp4": bare_mp4 + box("skip", f"{ISO6709}{TOWN}".encode()),
        "unknown.mp4": into_moov(bare_mp4, box("plce", f"{ISO6709}{TOWN}".encode())),
        "mdat-slack.mov": bare_mov + box("mdat", f"{ISO6709}{TOWN}".encode()),
    }
    made = []

    def write(name, *files):
        where = os.path.join(folder, name)
        os.makedirs(where)
        for file, data in files:
            with open(os.path.join(where, file), "wb") as opened:
                opened.write(data)
        made.append((name, [os.path.join(where, file) for file, _ in files if not file.endswith(".xmp")]))

    for extension, kinds in (("JPG", jpegs), ("HEIC", heics), ("PNG", pngs)):
        for name, data in kinds.items():
            write(f"{extension.lower()}-{name}", (f"IMG_0001.{extension}", data))
    for name, data in movies.items():
        write(f"movie-{name.replace('.', '-')}", (f"IMG_0001.{name.rsplit('.', 1)[1].upper()}", data))
    write("sidecar", ("IMG_0001.JPG", still), ("IMG_0001.xmp", xmp))
    write("sidecar-full-name", ("IMG_0001.JPG", still), ("IMG_0001.JPG.xmp", xmp))
    # Complete Live Photos: a fixture with a planted location in one of its halves.
    with open(os.path.join(fixtures, "IMG_0002.JPG"), "rb") as photo, open(os.path.join(fixtures, "IMG_0002.MOV"), "rb") as motion:
        photo, motion = photo.read(), motion.read()
    write("pair-keys", ("IMG_0002.JPG", photo), ("IMG_0002.MOV", into_moov(motion, box("udta", user_text(b"\xa9xyz", ISO6709), LOCI, keys(("location", ISO6709))))))
    write("pair-xmp", ("IMG_0002.JPG", with_segments(photo, xmp_segment(xmp))), ("IMG_0002.MOV", motion))
    write("pair-free", ("IMG_0002.JPG", photo + TOWN.encode()), ("IMG_0002.MOV", motion + box("free", ISO6709.encode())))
    write("pair-sidecar", ("IMG_0002.JPG", photo), ("IMG_0002.MOV", motion), ("IMG_0002.xmp", xmp))
    return made
