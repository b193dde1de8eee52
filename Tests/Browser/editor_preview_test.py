"""Compares the editor's display with rendered files: the pixels of its canvas with those of the files.

  editor_preview_test.py                       a few edits of a photo and a movie
  editor_preview_test.py --all [photo|movie]   every preset, both ends of every slider, and geometries; prints a table of means and 99th
                                               percentiles: at rest, of the canvas, and of the canvas at half of its size
  editor_preview_test.py --all PHOTO           the same for a photo from a camera, at 1280 pixels
"""
import base64, glob, json, os, re, subprocess, sys, tempfile, unittest

from studio import PROJECT, Browser, Studio, fixtures

# Runs in the page: draws an edit, and compares it with a picture (CIEDE2000; Sharma, Wu and Dalal, 2005).
SCRIPT = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "editor_preview.js")).read()
GEOMETRIES = {
    "turn": {"orientation": 6},
    "mirror": {"orientation": 4},
    "crop": {"geometry": {"crop": {"rectangle": [0.1, 0.2, 0.6, 0.5]}}},
    "square": {"geometry": {"crop": {"aspect": [1, 1]}}},
    "straighten": {"geometry": {"straighten": 7.5}},
    "perspective": {"geometry": {"horizontalPerspective": 0.4, "verticalPerspective": -0.3}},
    "all": {"orientation": 8, "geometry": {"straighten": -3, "verticalPerspective": 0.3,
                                           "crop": {"rectangle": [0.05, 0.1, 0.8, 0.7]}}},
}
FEW = {
    "nothing": {},
    "exposure": {"light": {"exposure": 0.6}},
    "saturation": {"color": {"saturation": 0.6}},
    "areas": {"light": {"shadows": 0.7, "highlights": -0.6}, "detail": {"definition": 0.4}},
    "haze": {"light": {"dehaze": 0.6}},
    "vignette": {"effects": {"vignette": 0.8}},
    "black and white": {"blackAndWhite": {"monochrome": 1, "monochromeTone": 0.4}},
}

class Preview:
    """A page whose first asset is edited."""

    def __init__(self, files, **window):
        # The rendered files that the canvas is compared with lose less by compression.
        self.studio = Studio(files, config="quality = high\n")
        self.browser = Browser(composes_on_gpu=True, **window)
        self.browser.open(self.studio.address)
        self.browser.run("(0, eval)(arguments[0])", SCRIPT)

    def ask(self, name, *arguments):
        answer = self.browser.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; Promise.resolve(window.editorTest[arguments[0]](...[...arguments].slice(1, -1)))"
            ".then(done, (error) => done({error: String(error.stack ?? error)}))", name, *arguments)
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(answer["error"])
        return answer

    def compare(self, half, edit):
        """Renders an edit, and compares the results."""
        if edit:
            self.ask("render", edit)
        if half == "movie":
            movies = [name for name in self.studio.files() if name.endswith(".MOV")]
            movie = next((name for name in movies if name.startswith("IMG_E")), movies[0])
            # ffmpeg decodes the rendered file; the matrix is given, since ffmpeg would not read it from the file.
            png = subprocess.run(["ffmpeg", "-v", "error", "-i", os.path.join(self.studio.photos, movie), "-frames:v", "1", "-sws_flags", "lanczos+accurate_rnd+full_chroma_int+full_chroma_inp",
                                  "-vf", "scale=in_color_matrix=bt709:in_range=tv", "-pix_fmt", "rgb24", "-f", "image2pipe", "-c:v", "png", "-"], capture_output=True, check=True).stdout
            return self.ask("movie", edit, base64.b64encode(png).decode())
        # The rendered file, or the original if there is none.
        photos = [name for name in self.studio.files() if name.endswith(".JPG")]
        photo = next((name for name in photos if name.startswith("IMG_E")), photos[0])
        with open(os.path.join(self.studio.photos, photo), "rb") as file:
            return self.ask("photo", edit, base64.b64encode(file.read()).decode())

    def end(self):
        self.browser.end()
        self.studio.end()


def movie(folder, primaries="bt709"):
    """A movie of areas that blend smoothly into each other: codecs lose little of it, so differences come from the edit."""
    path = os.path.join(folder, "IMG_0009.MOV")
    wave = "128+45*{}(6.2832*X/W+T)*sin(3.1416*Y/H)"
    scene = f"color=c=gray:s=640x480:r=15:d=1,format=yuv444p,geq=lum='30+190*Y/H':cb='{wave.format('cos')}':cr='{wave.format('sin')}'"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", scene, "-c:v", "libx264", "-crf", "4", "-pix_fmt", "yuv420p", "-color_range", "tv",
                    "-colorspace", "bt709", "-color_primaries", primaries, "-color_trc", "bt709", path], check=True)
    return path


def photo(folder):
    """A photo with chroma for each pixel, so that the loss by 4:2:0 in a rendered file has no effect."""
    source, path = os.path.join(PROJECT, "Fixtures", "IMG_0001.JPG"), os.path.join(folder, "IMG_0008.JPG")
    with open(folder + "/profile.icc", "wb") as file:
        subprocess.run(["exiftool", "-icc_profile", "-b", source], stdout=file, check=True)
    pixels = subprocess.run(["djpeg", source], capture_output=True, check=True).stdout
    subprocess.run(["cjpeg", "-quality", "97", "-sample", "1x1", "-icc", folder + "/profile.icc", "-outfile", path], input=pixels, check=True)
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-TagsFromFile", source, "-Orientation", path], check=True)
    return path


def cases():
    """Every preset, both ends of every slider as listed in ADJUSTMENTS.md, and geometries."""
    found = dict(FEW) | GEOMETRIES
    for path in sorted(glob.glob(os.path.join(PROJECT, "Presets", "*.json"))):
        found["preset " + os.path.basename(path)[:-5]] = json.load(open(path))["edit"]
    names = {"Light": "light", "Colour": "color", "Black and white": "blackAndWhite", "Detail": "detail", "Effects": "effects"}
    needed = {"vignetteR": {"vignette": 0.7}, "vignetteS": {"vignette": 0.7}, "grainS": {"grain": 0.5}, "monochrome": {"monochrome": 1},
              "shadowGradeH": {"shadowGradeSaturation": 0.6}, "midtoneGradeH": {"midtoneGradeSaturation": 0.6},
              "highlightGradeH": {"highlightGradeSaturation": 0.6}}
    group = None
    for line in open(os.path.join(PROJECT, "ADJUSTMENTS.md")):
        if line.startswith("## "):
            group = names.get(line[3:].strip())
        slider = re.match(r"\| `(\w+)` \| (-?[\d.]+) … (-?[\d.]+)", line)
        if group and slider:
            others = next((value for start, value in needed.items() if slider[1].startswith(start)), {})
            for end in (slider[2], slider[3]):
                found[f"{slider[1]} {end}"] = {group: others | {slider[1]: float(end)}}
    return found


class EditorPreviewTest(unittest.TestCase):
    def agrees(self, files, name, edits, size, features=()):
        """Renders edits of an asset, and compares the canvas with them."""
        preview = Preview(files, features=features)
        self.addCleanup(preview.end)
        half = preview.ask("open", name, size)["half"]
        for what, edit in edits.items():
            with self.subTest(what, half=half):
                found = preview.compare(half, edit)
                self.assertEqual(found["sizes"][:2], found["sizes"][2:4])
                # At rest, pixel by pixel; while something moves, the canvas, apart from the detail that it leaves out.
                for kind in ("rest",) if found["missing"] else ("rest", "half"):
                    self.assertLessEqual(found[kind]["mean"], 1, (kind, found))
                    self.assertLessEqual(found[kind]["high"], 3, (kind, found))
        preview.browser.collect()
        self.assertEqual(preview.browser.messages, [])

    def test_photo_in_p3(self):
        some = {name: GEOMETRIES[name] for name in ("turn", "straighten", "all")}
        self.agrees(fixtures("IMG_0001")[:2], "IMG_0001", FEW | some, 640, [("color-gamut", "p3")])

    def test_photo_in_srgb(self):
        self.agrees(fixtures("IMG_0001")[:2], "IMG_0001", {name: FEW[name] for name in ("nothing", "exposure", "vignette")}, 640)

    def test_movie(self):
        with tempfile.TemporaryDirectory() as folder:
            self.agrees([movie(folder)], "IMG_0009", FEW | {"crop": GEOMETRIES["crop"], "turn": GEOMETRIES["turn"]}, 640)

    def test_what_only_a_render_shows_is_named(self):
        preview = Preview(fixtures("IMG_0003"))
        self.addCleanup(preview.end)
        preview.ask("open", "IMG_0003", 640)
        edit = {"detail": {"noiseReduction": 0.3, "sharpness": 0.3}, "effects": {"grain": 0.3}, "light": {"shadows": 0.5}}
        self.assertEqual(preview.ask("parts", edit)["missing"], ["noiseReduction", "sharpness", "grain"])

    def test_a_movie_plays(self):
        with tempfile.TemporaryDirectory() as folder:
            preview = Preview([movie(folder)])
        self.addCleanup(preview.end)
        preview.ask("open", "IMG_0009", 640)
        found = preview.ask("play", FEW["areas"], 12)
        self.assertEqual(found["missing"], [])
        # The frame rate depends on the machine; each frame uses the areas computed for its own time.
        self.assertGreater(found["pictures"], 3)
        self.assertGreater(found["areas"], 3)
        preview.browser.collect()
        self.assertEqual(preview.browser.messages, [])

    def test_a_lost_context_comes_back(self):
        preview = Preview(fixtures("IMG_0003"))
        self.addCleanup(preview.end)
        preview.ask("open", "IMG_0003", 640)
        before, after = preview.ask("lose", FEW["exposure"])
        self.assertGreater(sum(before), 0)
        self.assertEqual(before, after)


def table_of_all():
    """Compares all cases, and prints the results."""
    if os.path.isfile(sys.argv[-1]):
        makes = [lambda folder: sys.argv[-1]]
    else:
        makes = [make for make in (photo, movie) if sys.argv[-1] in ("--all", make.__name__)]
    for make in makes:
        features = [("color-gamut", "p3")] if make != movie else ()
        with tempfile.TemporaryDirectory() as folder:
            file = make(folder)
            preview = Preview([file], features=features)
            half = preview.ask("open", os.path.splitext(os.path.basename(file))[0], 1280 if file == sys.argv[-1] else 2048)["half"]
            for what, edit in cases().items():
                found = preview.compare(half, edit)
                figures = "  ".join(f"{kind} {found[kind]['mean']:5.2f} {found[kind]['high']:5.2f}{' ' if found[kind]['mean'] <= 1 and found[kind]['high'] <= 3 else '!'}" for kind in ("rest", "live", "half"))
                print(f"{half} {what:28} {figures} {' '.join(found['missing'])}", flush=True)
            preview.end()


if __name__ == "__main__":
    if "--all" in sys.argv:
        table_of_all()
    else:
        unittest.main()
