"""What the editor shows against what a render makes: pixels of its canvas beside those of the rendered files.

  editor_preview_test.py           a few edits of two fixtures
  editor_preview_test.py --all     every preset, both ends of every slider, and geometries, on photos and movies; prints a table
"""
import json, os, sys, time, unittest

from studio import PROJECT, Browser, Studio, fixtures

# In the page: draws an edit, and compares it with a picture (CIEDE2000; Sharma, Wu and Dalal, 2005).
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
# What only a render shows: the page asks for a picture of it.
RENDERED = ("noiseReduction", "sharpness", "grain")


class Preview:
    """A page whose first asset is edited."""

    def __init__(self, files, **window):
        self.studio = Studio(files)
        self.browser = Browser(**window)
        self.browser.open(self.studio.address)
        self.browser.driver.set_script_timeout(30)
        self.browser.run("(0, eval)(arguments[0])", SCRIPT)

    def ask(self, name, *arguments):
        answer = self.browser.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; Promise.resolve(window.editorTest[arguments[0]](...[...arguments].slice(1, -1)))"
            ".then(done, (error) => done({error: String(error.stack ?? error)}))", name, *arguments)
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(answer["error"])
        return answer

    def end(self):
        self.browser.end()
        self.studio.end()
