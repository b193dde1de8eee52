"""Other programs and libraries (the peers), and their statements about a file.

A peer's answer is converted into two parts. Statements are texts without the numbers and names of the particular file: those that
begin with “tells” describe its kind, colours and streams; all others are complaints. Numbers have the same meaning for every
peer: displayed width and height (upright), duration in seconds, frames, rate, pictures.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = os.path.abspath(os.path.join(HERE, "../../../.build/python-peers/bin"))
PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic", ".heif")
LONGEST = 600  # seconds per file: even on a loaded machine, only a hanging program takes longer
ENVIRON = os.environ | {"LC_ALL": "C.UTF-8", "GST_DEBUG_NO_COLOR": "1"}


def plain(text, path):
    """A statement without the parts that are specific to one file: its path, and numbers of more than one digit."""
    text = text.replace(path, "FILE").replace(os.path.basename(path), "FILE")
    text = re.sub(r"0x[0-9a-fA-F]{8,}", "0xN", text)
    text = re.sub(r"(?<![\w.])-?\d[\d.]*(?![\w])", "N", text)
    return " ".join(text.split())


def sides(numbers):
    """The numbers of a peer that reports a photo's coded size rather than its displayed size: the longer and the shorter side."""
    size = sorted(numbers.pop(key) for key in ("width", "height") if key in numbers)
    return numbers | dict(zip(("shorter", "longer"), size))


def run(command, path):
    """(status, standard output, standard error) of a program; a crash or an endless run is described as text."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            ended = subprocess.run(command, capture_output=True, timeout=LONGEST, cwd=scratch, env=ENVIRON, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None, "", f"does not end within {LONGEST} s"
    error = ended.stderr.decode(errors="replace")
    if ended.returncode < 0:
        error += f"\ncrashes: {signal.Signals(-ended.returncode).name}"
    return ended.returncode, ended.stdout.decode(errors="replace"), error


class Libraries:
    """A worker process for the peers that are Python libraries."""

    names = ("Pillow", "pillow-heif", "PyAV", "OpenCV", "c2pa-python")

    def __init__(self):
        self.process = None

    def ask(self, peer, path):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([os.path.join(ENVIRONMENT, "python3"), os.path.join(HERE, "worker.py")], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, env=ENVIRON)
        self.process.stdin.write(json.dumps({"peer": peer, "file": path}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            status = self.process.wait()
            return [f"crashes: {signal.Signals(-status).name}" if status < 0 else f"ends with {status}"], {}
        answer = json.loads(line)
        return [plain(text, path) for text in answer["says"]], answer["numbers"]

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def exiftool(paths):
    """{path: (statements, numbers)} of many files, which one process reads."""
    answers = {}
    command = ["exiftool", "-j", "-a", "-G0:1:4", "-n", "-api", "LargeFileSupport=1", "-validate", "-warning", "-error", "-FileType", "-FileTypeExtension",
               "-ExifByteOrder", "-ImageWidth", "-ImageHeight", "-IFD0:Orientation", "-Rotation", "-QuickTime:Duration", *paths]
    ended = subprocess.run(command, capture_output=True, timeout=LONGEST * len(paths), env=ENVIRON, stdin=subprocess.DEVNULL)
    if ended.returncode < 0:
        raise RuntimeError(f"exiftool was ended by {signal.Signals(-ended.returncode).name}")
    for facts in json.loads(ended.stdout or b"[]"):
        path, says, numbers, told = facts["SourceFile"], [], {}, {}
        for key, value in facts.items():
            name = key.split(":")[-1]
            # Use the size of the picture itself, not the one in Exif.
            if name not in told or name in ("ImageWidth", "ImageHeight") and key.startswith("File"):
                told[name] = value
            if name in ("Warning", "Error"):
                says.append(plain(f"{name.lower()}: {value}", path))
            elif name in ("ExifByteOrder", "FileType"):
                says.append(f"tells {name} {value}")
        kind = str(told.get("FileTypeExtension", "")).lower()
        if kind and kind != path.rsplit(".", 1)[-1].lower().replace("jpeg", "jpg"):
            says.append(f"is {told.get('FileType')} under another extension")
        if "ImageWidth" in told:
            turned = (told.get("Orientation", 1) >= 5) if kind == "jpg" else told.get("Rotation", 0) in (90, 270)
            # The rotations of a HEIC file's pictures are reported in one list, without their pictures.
            numbers = sides({"width": told["ImageWidth"], "height": told["ImageHeight"]}) if kind in ("heic", "heif") else {"width": told["ImageHeight" if turned else "ImageWidth"], "height": told["ImageWidth" if turned else "ImageHeight"]}
        if "Duration" in told:
            numbers["duration"] = told["Duration"]
        answers[path] = says, numbers
    for path in paths:
        answers.setdefault(path, (["says nothing"], {}))
    return answers


def exiv2(path):
    says = []
    for option in ("-pa", "-pS") if path.lower().endswith((".jpg", ".jpeg", ".png")) else ("-pa",):
        status, _, error = run(["exiv2", option, path], path)
        says += [plain(line, path) for line in error.splitlines() if line.strip()]
    return says, {}


def gstreamer(path):
    if path.lower().endswith((".heic", ".heif")):
        return [], {}
    status, out, error = run(["gst-discoverer-1.0", "-v", path], path)
    says = [plain(line, path) for line in error.splitlines() if line.strip() and "WARN" not in line and "Stream #" not in line]
    numbers, width = {}, None
    for line in out.splitlines():
        line = line.strip()
        if match := re.match(r"(video|audio|subtitles) #\d+: ([^,]*)(.*)", line):
            wanted = r"(profile|bit-depth-luma|chroma-format|colorimetry|interlace-mode|channels)=\(\w+\)([^,]+)"
            fields = dict(re.findall(wanted, match[3]))
            says.append(f"tells {match[1]} {match[2]} " + " ".join(f"{key}={value}" for key, value in sorted(fields.items())))
        elif match := re.match(r"Duration: (\d+):(\d+):([\d.]+)", line):
            numbers["duration"] = int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
        elif match := re.match(r"(Width|Height): (\d+)", line):
            numbers.setdefault(match[1].lower(), int(match[2]))
        elif match := re.match(r"Frame rate: ([1-9]\d*)/(\d+)", line):
            numbers.setdefault("rate", float(Fraction(int(match[1]), int(match[2]) or 1)))
        elif match := re.match(r"(Interlaced: true|Pixel aspect ratio: (?!1/1).*|.*error.*|Missing plugins|.*not found.*|An error.*)", line, re.I):
            says.append(plain(match[1], path))
        elif match := re.match(r"image orientation: (\S+)", line):
            width = match[1]
    if path.lower().endswith(PHOTOS):
        numbers = sides(numbers)
    if width in ("rotate-90", "rotate-270", "flip-rotate-90", "flip-rotate-270") and "width" in numbers:
        numbers["width"], numbers["height"] = numbers["height"], numbers["width"]
    return says, numbers


# Fields of MediaInfo about the picture and the audio; if container and stream disagree, the stream's value is “…_Original”.
TOLD = re.compile(r"(ChromaSubsampling|BitDepth|ScanType|colour_range|colour_primaries|transfer_characteristics|matrix_coefficients"
                  r"|HDR_Format|Channels|SamplingRate)")
COMPLAINTS = re.compile(r"(IsTruncated|Conformance\w*|\w+_Original)")


def mediainfo(path):
    status, out, error = run(["mediainfo", "--Output=JSON", path], path)
    says, numbers = [plain(line, path) for line in error.splitlines() if line.strip()], {}
    facts = json.loads(out) if out.strip() else {}
    for track in ((facts.get("media") or {}).get("track") or []):
        kind = track.get("@type")
        for key, value in track.items():
            if isinstance(value, dict):
                says += [f"{kind}.{inner}" for inner in value if COMPLAINTS.fullmatch(inner)]
            elif COMPLAINTS.fullmatch(key) and kind != "Image":
                says.append(f"{kind}.{key}")
            elif TOLD.fullmatch(key) and kind != "Image":
                says.append(f"tells {kind}.{key}={value}")
        if kind in ("Video", "Image") and "width" not in numbers and not path.lower().endswith((".heic", ".heif")):
            turned = float(track.get("Rotation", 0)) in (90, 270)
            for key, name in (("Width", "height" if turned else "width"), ("Height", "width" if turned else "height")):
                if key in track:
                    numbers[name] = int(track[key])
            for key, name in (("Duration", "duration"), ("FrameRate", "rate"), ("FrameCount", "frames")):
                if key in track and kind == "Video":
                    numbers[name] = float(track[key])
            if kind == "Image":
                numbers = sides(numbers)
            if "FrameRate_Original" in track and "FrameRate" in track:
                factor = float(track["FrameRate_Original"]) / float(track["FrameRate"])
                if not 1 / 3 < factor < 3:
                    says.append("the stream's rate is far from the frames' rate")
            if "FrameRate_Maximum" in track and "FrameRate" in track and float(track["FrameRate_Maximum"]) > 6 * float(track["FrameRate"]):
                says.append("the greatest rate is far from the frames' rate")
    return says, numbers


def mkvmerge(path):
    if path.lower().endswith(PHOTOS):
        return [], {}
    says, numbers = [], {}
    status, out, error = run(["mkvmerge", "-J", path], path)
    facts = json.loads(out) if out.strip() else {}
    says += [plain(f"{kind[:-1]}: {text}", path) for kind in ("errors", "warnings") for text in facts.get(kind, [])]
    for track in facts.get("tracks", []):
        properties = track.get("properties", {})
        says.append(f"tells {track['type']} {track['codec']}")
        for key in ("color_matrix_coefficients", "color_primaries", "color_transfer_characteristics", "color_range", "audio_channels"):
            if key in properties:
                says.append(f"tells {track['type']} {key} {properties[key]}")
        if track["type"] == "video" and properties.get("default_duration"):
            numbers["rate"] = 1e9 / properties["default_duration"]
    with tempfile.TemporaryDirectory() as scratch:
        made = os.path.join(scratch, "made.mkv")
        status, out, error = run(["mkvmerge", "-o", made, path], path)
        says += [plain(line, path) for line in (out + error).splitlines() if line.startswith(("Warning", "Error"))]
        if os.path.exists(made):
            _, out, _ = run(["mkvmerge", "-J", made], made)
            duration = json.loads(out or "{}").get("container", {}).get("properties", {}).get("duration")
            if duration:
                numbers["duration"] = duration / 1e9
    return says, numbers


def gainmap_audit(path):
    if not path.lower().endswith((".jpg", ".jpeg", ".heic", ".heif")):
        return [], {}
    status, out, error = run([os.path.join(ENVIRONMENT, "gmaudit"), "check", "--json", "--fail-on", "", path], path)
    try:
        report = json.loads(out)["files"][0]
    except (ValueError, LookupError):
        return [plain(line, path) for line in (out + error).splitlines() if line.strip()], {}
    says = [f"{'state' if report['state'] in ('stripped', 'orphaned', 'error') else 'tells state'} {report['state']}"]
    says += [f"tells evidence {found['rule']}" for found in report.get("evidence") or []]
    if report.get("error"):
        says.append(plain(f"error: {report['error']}", path))
    return says, {}


PROGRAMS = {"exiv2": exiv2, "GStreamer": gstreamer, "MediaInfo": mediainfo, "mkvmerge": mkvmerge, "gainmap-audit": gainmap_audit}


def missing():
    """The peers that are not installed."""
    found = {"exiftool": "exiftool", "exiv2": "exiv2", "GStreamer": "gst-discoverer-1.0", "MediaInfo": "mediainfo", "mkvmerge": "mkvmerge",
             "gainmap-audit": os.path.join(ENVIRONMENT, "gmaudit"), "Chromium": "chromium"}
    gone = [peer for peer, program in found.items() if not shutil.which(program)]
    python = os.path.join(ENVIRONMENT, "python3")
    for peer, module in zip(Libraries.names, ("PIL", "pillow_heif", "av", "cv2", "c2pa")):
        if not os.path.exists(python) or subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode:
            gone.append(peer)
    return gone
