#!/usr/bin/env python3
"""Reports the statements of the Python libraries among the peers about files. peers.py asks it, and starts another worker if one dies.

  worker.py

Reads one JSON object per line from standard input, {"peer": NAME, "file": PATH}, and answers each with one line:
{"says": [statement, …], "numbers": {name: number, …}}. A statement that begins with “tells” is not a
complaint. Output of a library on standard error counts as statements too.
Runs with the Python in .build/python-peers, which scripts/setup --peers creates.
"""

import io
import json
import os
import statistics
import sys
import tempfile
import warnings
from fractions import Fraction

import av
import c2pa
import cv2
import pillow_heif
from av.bitstream import BitStreamFilterContext
from PIL import Image, ImageCms

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic", ".heif")


def shown(size, turned):
    return {"width": size[1] if turned else size[0], "height": size[0] if turned else size[1]}


def profile(data):
    if not data:
        return "no profile"
    try:
        return "profile " + ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(data))).strip()
    except Exception as error:
        return f"unreadable profile: {error}"


def pillow(path):
    says, numbers = [], {}
    if path.lower().endswith((".heic", ".heif", ".mov", ".mp4")):
        return says, numbers
    with Image.open(path) as picture:
        says += [f"tells format {picture.format}", f"tells mode {picture.mode}", "tells " + profile(picture.info.get("icc_profile"))]
        exif = picture.getexif()
        numbers = shown(picture.size, exif.get(0x0112, 1) >= 5)
        for directory in (0x8769, 0x8825, 0xA005):
            exif.get_ifd(directory)
        numbers["pictures"] = getattr(picture, "n_frames", 1)
        for index in range(numbers["pictures"]):
            picture.seek(index)
            picture.load()
            if picture.format in ("GIF", "WEBP") and picture.is_animated and picture.info.get("duration", 0) <= 0:
                says.append("a frame without duration")
    return says, numbers


def heif(path):
    says, numbers = [], {}
    if not path.lower().endswith((".heic", ".heif")):
        return says, numbers
    opened = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    numbers["pictures"] = len(opened)
    for image in opened:
        image.load()
        says += [f"tells mode {image.mode}", "tells " + profile(image.info.get("icc_profile"))]
        nclx = image.info.get("nclx_profile")
        if nclx:
            codes = [int(nclx[key]) for key in ("color_primaries", "transfer_characteristics", "matrix_coefficients")]
            says.append("tells colours " + "-".join(f"c{code}" for code in codes))
        says += [f"tells auxiliary {kind}" for kind in image.info.get("aux", {})]
        says += [f"tells metadata {item.get('type')} {item.get('content_type', '')}".strip() for item in image.info.get("metadata", [])]
        for depth in image.info.get("depth_images", []):
            depth.load()
            says.append(f"tells depth {depth.mode}")
        for kind, numbers_of in image.info.get("aux", {}).items():
            for number in numbers_of:
                try:
                    image.get_aux_image(number).load()
                except Exception as error:
                    says.append(f"auxiliary {kind}: {error}")
        says += ["tells thumbnail"] * bool(image.info.get("thumbnails"))
    numbers |= shown(opened.size, False)
    return says, numbers


def pyav(path):
    says, numbers = [], {}
    if path.lower().endswith((".jpg", ".jpeg", ".png", ".heic", ".heif", ".gif", ".webp")):
        return says, numbers
    with av.logging.Capture(local=False) as log, av.open(path) as container:
        for stream in container.streams:
            context = stream.codec_context
            if stream.type == "video":
                colours = [getattr(context, key, None) for key in ("color_primaries", "color_trc", "colorspace", "color_range")]
                says.append(f"tells video {context.name} {context.profile} {context.pix_fmt}")
                says.append("tells colours " + "-".join(f"c{int(value)}" if value is not None else "?" for value in colours))
                if stream.sample_aspect_ratio not in (None, 0, 1):
                    says.append("pixels that are not square")
            elif stream.type == "audio":
                says.append(f"tells audio {context.name} {context.profile} {context.sample_rate}Hz {context.layout.name}")
            else:
                says.append(f"tells {stream.type} stream")
        if container.duration:
            numbers["duration"] = container.duration / 1e6
        videos = container.streams.video
        if videos:
            video = max(videos, key=lambda stream: stream.frames)
            times = []
            # Decoders ignore parameter sets and headers that this filter refuses.
            name = video.codec_context.name
            strict = BitStreamFilterContext(f"{name}_metadata", video) if name in ("h264", "hevc") else None
            for packet in container.demux(video):
                if packet.dts is None:
                    continue
                times.append((packet.pts, packet.duration or 0))
                if strict:
                    strict.filter(packet)
            times.sort()
            lasts = [float(duration * video.time_base) for _, duration in times]
            container.seek(0)
            frames, turned = 0, False
            for frame in container.decode(video):
                frames += 1
                turned = turned or abs(frame.rotation) == 90
            numbers |= shown((video.codec_context.width, video.codec_context.height), turned)
            numbers["frames"] = frames
            if len(times) > 2:
                # Up to the end of the last frame: a gap before the end counts like any other gap.
                span = (float((times[-1][0] - times[0][0]) * video.time_base) + lasts[-1]) / len(times)
                numbers["rate"] = 1 / span if span else 0
                steps = [float((b[0] - a[0]) * video.time_base) for a, b in zip(times, times[1:])]
                if lasts[-1] < min(steps) / 4:
                    says.append("the last frame hardly lasts")
                if min(steps) <= 0:
                    says.append("two frames at one time")
                for name in ("average_rate", "guessed_rate", "base_rate"):
                    told = getattr(video, name, None)
                    if told and span and (told * Fraction(span) > 3 or told * Fraction(span) < Fraction(1, 3)):
                        says.append(f"{name} is far from the frames' rate")
    # The filter warns about the end of `avcC`, which it does not support; it throws on anything that it refuses.
    says += [f"log: {name}: {message.strip()}" for level, name, message in log if level <= av.logging.WARNING and not name.endswith("_metadata")]
    return says, numbers


def opencv(path):
    says, numbers = [], {}
    if path.lower().endswith((".heic", ".heif")):
        return says, numbers
    if path.lower().endswith(PHOTOS):
        picture = cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        if picture is None:
            return ["reads no picture"], {}
        return [f"tells {picture.dtype}"], shown(picture.shape[1::-1], False)
    capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    if not capture.isOpened():
        return ["opens no movie"], {}
    rate, told = capture.get(cv2.CAP_PROP_FPS), capture.get(cv2.CAP_PROP_FRAME_COUNT)
    numbers = {"width": capture.get(cv2.CAP_PROP_FRAME_WIDTH), "height": capture.get(cv2.CAP_PROP_FRAME_HEIGHT), "rate": rate}
    count, times = 0, []
    while capture.grab():
        times.append(capture.get(cv2.CAP_PROP_POS_MSEC))
        count += 1
    numbers["frames"] = count
    if abs(count - told) > 1:
        says.append("counts other frames than the header tells")
    steps = [b - a for a, b in zip(times, times[1:])]
    if steps and statistics.mean(steps) > 0:
        true = 1000 / statistics.mean(steps)
        if rate > 3 * true or rate < true / 3:
            says.append("rate is far from the frames' rate")
    return says, numbers


def provenance(path):
    try:
        with c2pa.Reader(path) as reader:
            report = json.loads(reader.json())
            return [f"manifest: {report.get('validation_state', 'not validated')}"], {}
    except Exception as error:
        return [f"{type(error).__name__.strip('_')}: {str(error)[:160]}"], {}


PEERS = {"Pillow": pillow, "pillow-heif": heif, "PyAV": pyav, "OpenCV": opencv, "c2pa-python": provenance}


def main():
    # Answers use a separate descriptor: the libraries' own output is read back from a file.
    answers = os.fdopen(os.dup(1), "w")
    printed = tempfile.TemporaryFile()
    os.dup2(printed.fileno(), 1)
    os.dup2(printed.fileno(), 2)
    Image.MAX_IMAGE_PIXELS = None
    # Without an explicit level, PyAV drops its libraries' log messages.
    av.logging.set_level(av.logging.WARNING)
    # Otherwise it reports the repetitions with the next file.
    av.logging.set_skip_repeated(False)
    warnings.simplefilter("always")
    for line in sys.stdin:
        asked = json.loads(line)
        printed.seek(0)
        printed.truncate()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                says, numbers = PEERS[asked["peer"]](asked["file"])
            except Exception as error:
                says, numbers = [f"{type(error).__name__}: {error}"], {}
        says += [f"warning: {warning.message}" for warning in warned]
        printed.seek(0)
        says += ["prints: " + text for text in printed.read().decode(errors="replace").splitlines() if text.strip()]
        answers.write(json.dumps({"says": says, "numbers": numbers}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
