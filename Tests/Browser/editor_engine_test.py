"""The engine's contributions to the editor: pictures with detail and grain for the photo and for single frames, movies with a time effect,
and the angle at which the picture is level, marked on the dial."""
import os, subprocess, unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from editor_test import EditorTest

PAINTED = "document.querySelector('img.engine:not([hidden])')?.naturalWidth && document.querySelector('.editor .coming').hidden"
ABSENT = "!document.querySelector('img.engine:not([hidden])')"


class EngineTest(EditorTest):
    def roughness(self):
        """The difference between neighbouring pixels in the middle of a screenshot: ImageMagick's standard deviation of the detail that a blur removes."""
        box = self.browser.find(".editor .frame").rect
        place = f"{int(box['width'] / 3)}x{int(box['height'] / 3)}+{int(box['x'] + box['width'] / 3)}+{int(box['y'] + box['height'] / 3)}"
        said = subprocess.run(["convert", "png:-", "-crop", place, "+repage", "-colorspace", "Gray", "(", "+clone", "-blur", "0x2", ")", "-compose", "difference", "-composite",
                               "-format", "%[fx:1000*mean]", "info:-"], input=self.browser.driver.get_screenshot_as_png(), capture_output=True, check=True)
        return float(said.stdout)

    def test_detail_of_the_photo(self):
        browser = self.browser
        self.edit()
        plain = self.roughness()
        self.group("effects")
        self.slider("Grain").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 6)
        browser.until(PAINTED)
        # The engine's picture has one pixel for each pixel of the canvas.
        self.assertEqual(browser.run("const image = document.querySelector('img.engine'), canvas = document.querySelector('canvas.picture'); return [image.naturalWidth - canvas.width, image.naturalHeight - canvas.height].map(Math.abs).filter(one => one > 1)"), [])
        grained = self.roughness()
        self.assertGreater(grained, 1.5 * plain)
        # A moment later the full-size picture replaces it.
        browser.until("document.querySelector('img.engine').dataset.exact == 'true'")
        # The canvas shows the change at once, and hides the full-size picture until it is painted again.
        self.slider("Grain").send_keys(Keys.HOME)
        browser.until(ABSENT)
        self.assertLess(self.roughness(), 1.2 * plain)
        self.group("detail")
        self.slider("Sharpness").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 8)
        browser.until(PAINTED)
        self.assertGreater(self.roughness(), 1.05 * plain)
        # Light needs no engine, but also gets its full-size picture.
        self.group("light")
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.group("detail")
        self.slider("Sharpness").send_keys(Keys.HOME)
        browser.until("document.querySelector('.editor .coming').hidden && document.querySelector('img.engine:not([hidden])')?.dataset.exact == 'true'")

    def test_detail_of_a_frame(self):
        browser = self.browser
        self.edit()
        self.group("effects")
        self.slider("Grain").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 6)
        browser.until(PAINTED)
        self.group("motion")
        browser.find(".film .start").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        browser.until("document.querySelector('.editor').dataset.drawn && document.querySelector('img.engine')?.hidden === false && document.querySelector('.editor .coming').hidden")
        grained = self.roughness()
        # The movie plays without grain, and the page says so.
        browser.find(".editor [aria-label=Play]").click()
        browser.until(ABSENT + " && document.querySelector('.editor .coming').innerText.includes('omits grain')")
        self.no_findings("playing without grain")
        self.assertLess(self.roughness(), 0.8 * grained)

    def test_effects_of_time(self):
        browser = self.browser
        self.edit()
        self.group("light")
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 5)
        self.group("motion")
        browser.run("""window.said = new Set(); new MutationObserver(() => said.add(document.querySelector('.editor .coming').textContent))
          .observe(document.querySelector('.editor .coming'), { childList: true, characterData: true, subtree: true })""")
        browser.find(".controls select").send_keys("Bounce")
        length = browser.until("document.querySelector('video.engine:not([hidden])')?.duration")
        self.assertTrue([text for text in browser.run("return [...said]") if text.startswith("Creating the effect Bounce: ")])
        self.assertTrue(browser.all(".editor [aria-label=Pause]"))
        browser.until("document.querySelector('video.engine').currentTime > 0.2")
        self.no_findings("bounce")
        # Another change is rendered again, after the canvas has shown it.
        self.group("light")
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        browser.until("document.querySelector('video.engine').hidden")
        browser.until("!document.querySelector('video.engine').hidden")
        browser.find(".editor [aria-label=Pause]").click()
        browser.until("document.querySelector('video.engine').hidden")
        self.assertEqual(self.saved()["motion"], {"effect": "bounce"})
        seconds = float(subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=duration", "-of", "csv=p=0", os.path.join(self.studio.photos, "IMG_E0003.MOV")], capture_output=True, text=True).stdout)
        self.assertAlmostEqual(seconds, length, delta=0.1)
        # The photo of a long exposure is painted.
        self.group("motion")
        browser.find(".controls select").send_keys("Long exposure")
        browser.until(PAINTED)


class DialTest(EditorTest):
    name = "IMG_0042"

    def setUp(self):
        super().setUp()
        # A picture of the sea whose horizon rises by three degrees to the right.
        subprocess.run(["convert", "-size", "800x600", "xc:#c8c8d0", "-fill", "#405060", "-draw", "polygon 0,321 800,279 800,600 0,600", "-attenuate", "0.2", "+noise", "Gaussian",
                        "-quality", "92", os.path.join(self.studio.photos, "IMG_0042.JPG")], check=True)
        self.browser.until("[...document.querySelectorAll('.tile')].some(tile => tile.getAttribute('aria-label')?.includes('IMG_0042'))")

    def degrees(self):
        return (self.draft() or {}).get("geometry", {}).get("straighten", 0)

    def pull(self, pixels):
        """Drags the ruler in several steps, like a hand."""
        chain = ActionChains(self.browser.driver, duration=20).move_to_element(self.ruler).click_and_hold()
        for _ in range(4):
            chain.move_by_offset(pixels / 4, 0)
        chain.release().perform()

    def test_the_dial_by_keys_mouse_touch_and_typing(self):
        browser = self.browser
        self.edit()
        self.group("crop")
        self.ruler = browser.find(".ruler")
        browser.until("document.querySelector('.found:not([hidden])')")
        self.no_findings("dial")
        self.ruler.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.degrees(), 0.1)
        self.ruler.send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertEqual(self.degrees(), 1.1)
        # Keys stop where the picture is level, and at 0.
        self.ruler.send_keys(Keys.PAGE_UP)
        level = self.degrees()
        self.assertAlmostEqual(level, 3, delta=0.3)
        self.assertIn("level", self.ruler.get_attribute("aria-valuetext"))
        self.ruler.send_keys(Keys.PAGE_UP)
        self.assertAlmostEqual(self.degrees(), level + 5, delta=0.001)
        self.ruler.send_keys(Keys.HOME)
        self.assertIsNone(self.draft())
        self.ruler.send_keys(Keys.ARROW_LEFT, Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertIsNone(self.draft())
        # A drag snaps to the mark, and passes it if it continues; a drag is one undo step.
        self.pull(-32)
        self.assertEqual(self.degrees(), level)
        self.pull(-40)
        self.assertAlmostEqual(self.degrees(), level + 4, delta=0.15)
        self.pull(72)
        self.assertIsNone(self.draft())
        ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        self.assertAlmostEqual(self.degrees(), level + 4, delta=0.15)
        # Far beyond the end of the dial, the value remains 45.
        for _ in range(3):
            self.pull(-140)
        self.ruler.send_keys(*[Keys.PAGE_UP] * 6)
        self.assertEqual(self.degrees(), 45)
        number = browser.find("input.number[aria-label='Straighten, value']")
        number.send_keys(Keys.CONTROL + "a")
        number.send_keys("-7.25", Keys.ENTER)
        self.assertEqual(self.degrees(), -7.25)
        browser.double_click(self.ruler)
        self.until_draft(lambda draft: not draft)
        # With a finger.
        box = browser.run("const { left, top, width, height } = document.querySelector('.ruler').getBoundingClientRect(); return [left + width / 2, top + height / 2]")
        touch = lambda kind, x: browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=[] if kind == "touchEnd" else [{"x": x, "y": box[1]}])
        touch("touchStart", box[0])
        for by in (10, 30, 60, 100):
            touch("touchMove", box[0] + by)
        touch("touchEnd", 0)
        self.assertAlmostEqual(self.degrees(), -10, delta=0.1)


if __name__ == "__main__":
    unittest.main()
