#!/usr/bin/env bash
# MediaInfo reports a rotation of 180 degrees for a movie whose track matrix mirrors the picture.
#
# Mirrored Live Photos (front camera) have such a matrix: -1 0 0 1 with the width as horizontal shift. It is valid according to
# QuickTime File Format, “Matrices”, and ISO/IEC 14496-12, section 6.2.2. It swaps left and right, and keeps top and bottom.
# Expected: rotation 0, perhaps with a field that states that the picture is mirrored.
# Observed with MediaInfoLib 24.12, bundled in pymediainfo 7.0.1: rotation 180.000. A program that uses this field shows the
# picture upside down. (MediaInfo 23.04 of Debian 12 reports rotation 0 and a pixel aspect ratio of -1 instead.)
#
# Needs python3 with venv and a network connection. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pymediainfo==7.0.1 imageio-ffmpeg==0.8.1
cat >look.py <<'PY'
import struct
import subprocess
import sys

import imageio_ffmpeg
import pymediainfo

subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x48:r=10",
                "-pix_fmt", "yuv420p", "plain.mov"], check=True)
movie = bytearray(open("plain.mov", "rb").read())
at = movie.index(b"tkhd") + 4 + 40
one = 1 << 16
assert struct.unpack_from(">9i", movie, at) == (one, 0, 0, 0, one, 0, 0, 0, 1 << 30)
struct.pack_into(">9i", movie, at, -one, 0, 0, 0, one, 0, 64 * one, 0, 1 << 30)
open("mirrored.mov", "wb").write(movie)


def told(name):
    video = pymediainfo.MediaInfo.parse(name).video_tracks[0].to_data()
    return {key: video.get(key) for key in ("pixel_aspect_ratio", "rotation")}


plain, mirrored = told("plain.mov"), told("mirrored.mov")
print("MediaInfoLib", pymediainfo.MediaInfo._get_library()[2], "plain", plain, "mirrored", mirrored)
if plain["rotation"] != "0.000" or mirrored != {"pixel_aspect_ratio": "1.000", "rotation": "180.000"}:
    sys.exit("the behaviour has changed")
PY
python/bin/python look.py
