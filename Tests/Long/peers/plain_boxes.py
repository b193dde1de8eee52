"""Small parts of files from independent code: boxes, JPEG segments, TIFF directories, Samsung's blocks, PNG chunks."""

import struct
import zlib


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + (kind if isinstance(kind, bytes) else kind.encode("latin-1")) + body


def boxes(data, at=0, end=None):
    """(start, end, type, start of the body) of each box of a file or in a box."""
    end = len(data) if end is None else end
    while at + 8 <= end:
        size, kind, head = struct.unpack(">I", data[at:at + 4])[0], data[at + 4:at + 8], 8
        if size == 1:
            size, head = struct.unpack(">Q", data[at + 8:at + 16])[0], 16
        size = size or end - at
        if size < head or at + size > end:
            return
        yield at, at + size, kind, at + head
        at += size


def into_moov(movie, *added):
    """A movie with additional boxes at the end of its moov, which must be the last box of the file."""
    start, end, _, _ = next(one for one in boxes(movie) if one[2] == b"moov")
    assert end == len(movie), "moov is not the last box"
    more = b"".join(added)
    return movie[:start] + struct.pack(">I", end - start + len(more)) + movie[start + 4:] + more


def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def with_segments(jpeg, *segments):
    """A JPEG with additional segments right after its first marker."""
    return jpeg[:2] + b"".join(segments) + jpeg[2:]


def directory(entries, start, order, following=0):
    """A TIFF directory at `start`; its entries are (tag, type, count, bytes of the value)."""
    entries = sorted(entries)
    head, tail = struct.pack(order + "H", len(entries)), b""
    behind = start + 2 + 12 * len(entries) + 4
    for tag, kind, count, data in entries:
        if len(data) > 4:
            field = struct.pack(order + "I", behind + len(tail))
            tail += data + b"\0" * (len(data) % 2)
        else:
            field = data.ljust(4, b"\0")
        head += struct.pack(order + "HHI", tag, kind, count) + field
    return head + struct.pack(order + "I", following) + tail


def text(tag, value):
    data = value.encode() + b"\0"
    return tag, 2, len(data), data


def rationals(tag, values, order):
    return tag, 5, len(values), b"".join(struct.pack(order + "II", *value) for value in values)


def exif(order=">", gps=(), more=(), ifd0=(), thumbnail=None, behind=b""):
    """A TIFF block with IFD0, an Exif directory with `more`, `gps`, a thumbnail in IFD1, and bytes that no entry points to."""
    number = lambda tag, value: (tag, 4, 1, struct.pack(order + "I", value))
    places = {"exif": 0, "gps": 0, "ifd1": 0, "thumbnail": 0}
    for _ in range(2):
        entries = [text(0x010F, "Maker"), text(0x0110, "Model"), rationals(0x011A, [(72, 1)], order), rationals(0x011B, [(72, 1)], order),
                   (0x0128, 3, 1, struct.pack(order + "H", 2)), (0x0213, 3, 1, struct.pack(order + "H", 1)), number(0x8769, places["exif"]), *ifd0]
        entries += [number(0x8825, places["gps"])] if gps else []
        zeroth = directory(entries, 8, order, places["ifd1"] if thumbnail else 0)
        places["exif"] = 8 + len(zeroth)
        second = directory([(0x9000, 7, 4, b"0232"), text(0x9003, "2024:05:01 10:00:00"), *more], places["exif"], order)
        places["gps"] = places["exif"] + len(second)
        third = directory(list(gps), places["gps"], order) if gps else b""
        places["ifd1"] = places["gps"] + len(third)
        fourth = directory([(0x0103, 3, 1, struct.pack(order + "H", 6)), number(0x0201, places["thumbnail"]), number(0x0202, len(thumbnail))],
                           places["ifd1"], order) if thumbnail else b""
        places["thumbnail"] = places["ifd1"] + len(fourth)
    return (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(order + "I", 8) + zeroth + second + third + fourth + (thumbnail or b"") + behind


def exif_segment(block):
    return segment(0xE1, b"Exif\0\0" + block)


def xmp_segment(packet):
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)


def extended_xmp(jpeg, packet, main):
    """A JPEG with an extended XMP packet; `main` gets the property that refers to it."""
    import hashlib
    digest = hashlib.md5(packet).hexdigest().upper().encode()
    parts = [packet[at:at + 60000] for at in range(0, len(packet), 60000)]
    named = main.replace(b'rdf:about=""', b'rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="' + digest + b'"')
    segments = [segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + digest + struct.pack(">II", len(packet), 60000 * index) + part)
                for index, part in enumerate(parts)]
    return with_segments(jpeg, xmp_segment(named), *segments)


def resources(*found):
    """A Photoshop segment with image resources (number, data)."""
    return segment(0xED, b"Photoshop 3.0\0" + b"".join(b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + b"\0" * (len(data) % 2) for number, data in found))


def packet(attributes="", inside="", spaces=""):
    return (f'<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            f'<rdf:Description rdf:about="" {spaces} {attributes}>{inside}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>').encode()


def samsung(records, box_around=False):
    """Samsung's blocks (SEF); the records are (type, name, data). Optionally in a box, as in HEIC."""
    blocks, entries = [], []
    for kind, name, data in records:
        blocks.append(struct.pack("<HHI", 0, kind, len(name)) + name.encode() + data)
    behind = 0
    for (kind, *_), block in zip(reversed(records), reversed(blocks)):
        behind += len(block)
        entries.insert(0, struct.pack("<HHII", 0, kind, behind, len(block)))
    head = b"SEFH" + struct.pack("<II", 107 if box_around else 106, len(records)) + b"".join(entries)
    whole = b"".join(blocks) + head + struct.pack("<I", len(head)) + b"SEFT"
    return box("sefd", whole) if box_around else whole


def oppo_tail(parts):
    """The private trailer after the movie of an O-Live photo; its parts are (name, data)."""
    import json
    data, listed = b"", []
    for name, part in parts:
        data += part
        listed.append([name, len(part), len(data)])
    told = json.dumps([{"name": name, "length": length, "offset": len(data) - end + length, "version": 1} for name, length, end in listed]).encode()
    return data + told + b"jxrs" + struct.pack("<I", len(told) + 8)


def huawei_tail(movie):
    return movie + f"{'v3_f35':<20}{'0:500':<20}{f'LIVE_{len(movie) + 20}':<20}".encode()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_chunks(png, *chunks):
    """A PNG with additional chunks right after its IHDR."""
    return png[:33] + b"".join(chunks) + png[33:]


def multi_picture(first, *others, kinds=(0x010001, 0x010002)):
    """A JPEG whose first segment is an index of further pictures (CIPA DC-007), which follow the JPEG."""
    order = ">"
    count = 1 + len(others)

    def index(base, size):
        entries = struct.pack(">IIIHH", 0x030000, size, 0, 0, 0)
        at = size
        for picture, kind in zip(others, kinds):
            entries += struct.pack(">IIIHH", kind, len(picture), at - base, 0, 0)
            at += len(picture)
        return b"MM\0*" + struct.pack(">I", 8) + directory([(0xB000, 7, 4, b"0100"), (0xB001, 4, 1, struct.pack(">I", count)), (0xB002, 7, len(entries), entries)], 8, order)

    size = len(first) + len(segment(0xE2, b"MPF\0" + index(0, 0)))
    # The offsets count from the index's TIFF header: after the first marker, the segment's header and its name.
    base = 2 + 4 + 4
    return with_segments(first, segment(0xE2, b"MPF\0" + index(base, size))) + b"".join(others)


def heif_with_item(heic, kind, data, content=b"", hidden=True, reference=None):
    """A HEIC with one additional item at the end of the file; `reference` is the type of its
    reference to the photo."""
    meta = next(one for one in boxes(heic) if one[2] == b"meta")
    inner = list(boxes(heic, meta[3] + 4, meta[1]))
    parts = {kind: heic[start:end] for start, end, kind, _ in inner}
    iloc, iinf = parts[b"iloc"], parts[b"iinf"]
    version = iloc[8]
    sizes = struct.unpack(">H", iloc[12:14])[0]
    offset_size, length_size, base_size = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    assert version < 2 and iinf[8] == 0
    count = struct.unpack(">H", iloc[14:16])[0]
    number = max(entries(iinf)) + 1
    entry = struct.pack(">H", number) + (b"\0\0" if version == 1 else b"") + b"\0\0" + bytes(base_size) + b"\0\1"
    place = len(iloc) + len(entry)
    new_iloc = lambda at: box("iloc", iloc[8:14] + struct.pack(">H", count + 1) + moved(iloc, grown) + entry + at.to_bytes(offset_size or 4, "big") + len(data).to_bytes(length_size, "big"))
    infe = box("infe", b"\2\0\0" + bytes([hidden]) + struct.pack(">HH", number, 0) + kind + b"\0" + content)
    new_iinf = box("iinf", iinf[8:12] + struct.pack(">H", struct.unpack(">H", iinf[12:14])[0] + 1) + iinf[14:] + infe)
    primary = struct.unpack(">H", parts[b"pitm"][12:14])[0]
    iref = parts.get(b"iref", box("iref", bytes(4)))
    if reference:
        iref = box("iref", iref[8:] + box(reference, struct.pack(">HHH", number, 1, primary)))

    def moved(iloc, by):
        """The entries of iloc with file offsets shifted; offsets of items in idat do not change."""
        out, at = b"", 16
        for _ in range(count):
            head = 2 + (2 if version == 1 else 0) + 2
            method = struct.unpack(">H", iloc[at + 2:at + 4])[0] & 15 if version == 1 else 0
            base = int.from_bytes(iloc[at + head:at + head + base_size], "big")
            out += iloc[at:at + head]
            by_base = by if method == 0 and base_size and base else 0
            out += (base + by_base).to_bytes(base_size, "big") if base_size else b""
            at += head + base_size
            extents = struct.unpack(">H", iloc[at:at + 2])[0]
            out += iloc[at:at + 2]
            at += 2
            for _ in range(extents):
                value = int.from_bytes(iloc[at:at + offset_size], "big")
                value += by if method == 0 and not by_base else 0
                out += value.to_bytes(offset_size, "big") + iloc[at + offset_size:at + offset_size + length_size]
                at += offset_size + length_size
        return out

    # All data after meta moves by the number of bytes that meta grows.
    grown = 0
    assert meta[0] < min((start for start, _, kind, _ in boxes(heic) if kind == b"mdat"), default=len(heic))
    rest = lambda at: heic[meta[3]:meta[3] + 4] + b"".join({b"iloc": new_iloc(at), b"iinf": new_iinf, b"iref": iref}.get(kind, heic[start:end]) for start, end, kind, _ in inner) + (
        b"" if b"iref" in parts else iref)
    grown = len(box("meta", rest(0))) - (meta[1] - meta[0])
    at = len(heic) + grown + 8
    return heic[:meta[0]] + box("meta", rest(at)) + heic[meta[1]:] + box("mdat", data)


def entries(iinf):
    """The numbers of items in an iinf box of version 0."""
    for start, _, kind, body in boxes(iinf, 14):
        if kind == b"infe":
            yield struct.unpack(">H", iinf[body + 4:body + 6])[0] if iinf[body] == 2 else struct.unpack(">I", iinf[body + 4:body + 8])[0]
