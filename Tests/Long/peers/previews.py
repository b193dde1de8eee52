"""Photos and movies with previews of every kind; each preview shows a mark that a crop cuts off."""

import base64
import io
import os
import struct
import subprocess
import zlib

import pillow_heif
from PIL import Image, ImageDraw

import places
from plain_boxes import (box, chunk, exif, exif_segment, extended_xmp, heif_with_item, into_moov, multi_picture, packet, resources, samsung, segment,
                         with_chunks, with_segments, xmp_segment)

MARK = (255, 0, 255)
DEPTH = 'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"'
CONTAINER = 'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"'
GAIN_MAP = ("<Container:Directory><rdf:Seq><rdf:li rdf:parseType='Resource'><Container:Item Item:Semantic='Primary' Item:Mime='image/jpeg'/></rdf:li>"
            "<rdf:li rdf:parseType='Resource'><Container:Item Item:Semantic='GainMap' Item:Mime='image/jpeg'/></rdf:li></rdf:Seq></Container:Directory>")


def marked(width=640, height=480):
    """The scene with a mark at its right edge."""
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
    hdrgm = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"'
    jpegs |= {
        "gain-map": multi_picture(
            with_segments(still, xmp_segment(packet('hdrgm:Version="1.0"', GAIN_MAP, f"{hdrgm} {CONTAINER}"))),
            with_segments(preview, xmp_segment(packet('hdrgm:Version="1.0" hdrgm:GainMapMax="2.3" hdrgm:HDRCapacityMax="2.3"', spaces=hdrgm))), kinds=(0,)),
        "google-depth": extended_xmp(still, packet(f'GDepth:Mime="image/jpeg" GDepth:Data="{encoded}"', spaces=DEPTH),
                                     packet('GDepth:Format="RangeInverse" GDepth:Near="1" GDepth:Far="9" GDepth:Mime="image/jpeg"', spaces=DEPTH)),
    }
    heic = heic_of(picture)
    with_thumbnail = heic_of(picture, thumbnails=[160])
    assert with_thumbnail.count(b"thmb") == 1
    heics = {
        "plain": heic,
        "thumbnail": with_thumbnail,
        "auxiliary-untyped": with_thumbnail.replace(b"thmb", b"auxl"),
        "unknown-reference": with_thumbnail.replace(b"thmb", b"abcd"),
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
        "grid": heic_of(marked(1600, 1200), tile_size=512),
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
    """A HEIC with a second top-level picture, which shows the whole in another size."""
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
    # A Motion Photo and a Live Photo's movie with cover art, beside a photo with a thumbnail and inside one.
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
