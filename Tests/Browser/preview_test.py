"""Tests a page made by liveedit preview, opened from the disk in Chromium."""
import os, shutil, subprocess, tempfile, time, unittest

from selenium.webdriver.common.action_chains import ActionChains

from studio import PATIENCE, PROGRAMS, Browser, By, Keys, fixtures, main_path

SHOTS = os.environ.get("LIVEEDIT_SCREENSHOTS")


class PreviewTest(unittest.TestCase):
    """A page and a browser for each test; no request may have been sent, and no script may have failed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="preview-")
        for file in fixtures("IMG_0001", "IMG_0002", "IMG_0003", "IMG_0004", "ultrahdr"):
            shutil.copy(file, cls.folder)
        cls.liveedit("adjust", "--exposure", "0.8", "--warmth", "0.5", "IMG_0001.JPG")
        cls.liveedit("rotate", "--degrees", "90", "IMG_0002.JPG")
        cls.liveedit("preview", "-o", "page.html", ".")

    @classmethod
    def liveedit(cls, *words):
        environment = os.environ | {"XDG_CACHE_HOME": cls.folder + "/cache", "XDG_STATE_HOME": cls.folder + "/state"}
        subprocess.run([os.path.join(PROGRAMS, "liveedit"), *words], cwd=cls.folder, env=environment, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def open(self, width=1280, height=800, **features):
        self.browser = Browser(width, height, [(name.replace("_", "-"), value) for name, value in features.items()])
        self.addCleanup(self.browser.end)
        self.browser.driver.get("file://" + self.folder + "/page.html")
        self.browser.until("[...document.querySelectorAll('.now')].every(image => image.complete && image.naturalWidth > 0)")
        # Movies that start to play are recorded, because a short movie may end before the test looks.
        self.browser.run("""window.plays = [];
            document.addEventListener('playing', ({target}) => plays.push(target.closest('.asset').querySelector('bdi').textContent + (target.muted ? ', silent' : '')), true)""")
        return self.browser

    def played(self, what):
        """Waits until a movie begins to play, and clears the record."""
        self.wait(lambda: self.browser.run("const plays = window.plays; if (!plays.includes(arguments[0])) return false; window.plays = []; return true", what),
                  f"{what} does not play")

    def tearDown(self):
        self.browser.collect()
        page = "file://" + self.folder + "/page.html"
        strangers = [url[:80] for url in self.browser.requests if url != page and not url.startswith("data:")]
        # The browser shows its own start page first.
        self.assertEqual([url for url in strangers if not url.startswith(("chrome", "about:"))], [])
        self.assertEqual([message[:300] for message in self.browser.messages], [])

    def asset(self, name):
        return next(asset for asset in self.browser.all(".asset") if asset.find_element(By.CSS_SELECTOR, "bdi").text == name)

    def video(self, name):
        return self.asset(name).find_element(By.CSS_SELECTOR, "video")

    def is_playing(self, name):
        return self.browser.run("const v = arguments[0]; return !v.paused && v.parentElement.classList.contains('playing')", self.video(name))

    def wait(self, condition, message):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, message)
            time.sleep(0.02)

    def rest(self, name):
        actions = ActionChains(self.browser.driver)
        actions.move_to_element(self.asset(name).find_element(By.CSS_SELECTOR, ".play")).perform()

    def shot(self, name):
        if SHOTS:
            self.browser.driver.save_screenshot(os.path.join(SHOTS, name + ".png"))

    def test_resting_plays_silently_and_leaving_stops(self):
        browser = self.open()
        self.assertEqual(len(browser.all(".asset")), 5)
        self.assertEqual(len(browser.all(".play")), 4)
        for name in ("IMG_0001", "IMG_0002", "IMG_0003", "IMG_0004"):
            self.rest(name)
            self.played(name + ", silent")
            self.assertLessEqual(browser.run("return document.querySelectorAll('.playing').length"), 1)
        self.shot("playing")
        self.wait(lambda: browser.run("return arguments[0].currentTime > 0.1", self.video("IMG_0004")), "stands still")
        ActionChains(browser.driver).move_to_element(browser.find("h1")).perform()
        self.wait(lambda: not self.is_playing("IMG_0004"), "goes on")
        # A movie that has ended becomes a picture again.
        self.rest("IMG_0003")
        self.played("IMG_0003, silent")
        self.wait(lambda: not self.is_playing("IMG_0003"), "does not end")

    def test_a_press_plays_with_sound(self):
        browser = self.open()
        play = self.asset("IMG_0001").find_element(By.CSS_SELECTOR, ".play")
        ActionChains(browser.driver).move_to_element(play).click().perform()
        self.played("IMG_0001")
        # A held press plays the movie as long as it is held.
        ActionChains(browser.driver).move_to_element(browser.find("h1")).perform()
        self.wait(lambda: not self.is_playing("IMG_0001"), "goes on")
        # The movie must not end by itself.
        browser.run("arguments[0].loop = true", self.video("IMG_0001"))
        ActionChains(browser.driver).move_to_element(play).click_and_hold().perform()
        self.played("IMG_0001")
        browser.until_timers(500)
        ActionChains(browser.driver).release().perform()
        self.wait(lambda: not self.is_playing("IMG_0001"), "continues after the press")

    @main_path
    def test_keys_play_and_compare(self):
        browser = self.open()
        browser.press(Keys.TAB)
        self.assertEqual(browser.run("return document.activeElement.getAttribute('aria-label')"), "Play IMG_0001")
        browser.press(Keys.ENTER)
        self.played("IMG_0001")
        browser.press(Keys.ESCAPE)
        self.wait(lambda: not self.is_playing("IMG_0001"), "goes on")
        before = self.asset("IMG_0001").find_element(By.CSS_SELECTOR, ".before")
        self.assertFalse(before.is_displayed())
        ActionChains(browser.driver).key_down("b").perform()
        self.assertTrue(before.is_displayed())
        self.shot("before")
        ActionChains(browser.driver).key_up("b").perform()
        self.assertFalse(before.is_displayed())
        browser.press(Keys.TAB)
        browser.press(" ")
        self.assertTrue(before.is_displayed())
        self.assertEqual(browser.run("return document.activeElement.getAttribute('aria-pressed')"), "true")
        browser.press(" ")
        self.assertFalse(before.is_displayed())
        # Unedited pictures have no button for it.
        self.assertEqual(len([button for button in browser.all(".compare") if button.is_displayed()]), 2)

    def test_firefox_shows_the_same(self):
        browser = self.open(1000, 700, prefers_color_scheme="light")
        home = tempfile.mkdtemp(prefix="firefox-")
        self.addCleanup(shutil.rmtree, home)
        shots = [os.path.join(home, name) for name in ("chromium.png", "firefox.png")]
        browser.driver.save_screenshot(shots[0])
        subprocess.run(["firefox-esr", "--headless", "--window-size=1000,700", "--screenshot", shots[1], "file://" + self.folder + "/page.html"],
                       env=os.environ | {"HOME": home}, check=True, capture_output=True, timeout=PATIENCE)
        # Compared in squares of many pixels, so that differently shaped letters have no effect.
        means = [subprocess.run(["ffmpeg", "-v", "error", "-i", shot, "-vf", "crop=1000:500:0:0,scale=25:12:flags=area", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
                                check=True, capture_output=True).stdout for shot in shots]
        self.assertEqual(len(means[0]), 900)
        differences = [abs(one - other) for one, other in zip(*means)]
        self.assertLess(sum(differences) / len(differences), 4)
        self.assertLess(sorted(differences)[-30], 40)

    def test_the_picture_before_is_another(self):
        browser = self.open()
        script = """const canvas = document.createElement('canvas'), context = canvas.getContext('2d'); canvas.width = canvas.height = 8;
            context.drawImage(arguments[0], 0, 0, 8, 8);
            const bytes = context.getImageData(0, 0, 8, 8).data; return bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length"""
        now, before = (browser.run(script, self.asset("IMG_0001").find_element(By.CSS_SELECTOR, name)) for name in (".now", ".before"))
        self.assertGreater(now, before + 10)

    def test_reduced_motion_plays_on_a_press_only(self):
        browser = self.open(prefers_reduced_motion="reduce")
        self.rest("IMG_0001")
        browser.until_timers(600)
        self.assertEqual(browser.run("return window.plays"), [])
        self.asset("IMG_0001").find_element(By.CSS_SELECTOR, ".play").click()
        self.played("IMG_0001")

    def looks_right(self, width, height, scheme):
        browser = self.open(width, height, prefers_color_scheme=scheme)
        self.shot(f"{width}-{scheme}")
        self.assertEqual(browser.findings(), [])
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
        # Nothing is wider than the window, and the buttons can be pressed.
        for figure in browser.all(".asset"):
            self.assertGreater(figure.rect["width"], 200)
            self.assertLessEqual(figure.rect["x"] + figure.rect["width"], width)

    def test_dark(self):
        self.looks_right(1280, 800, "dark")

    def test_light(self):
        self.looks_right(1280, 800, "light")

    def test_narrow_dark(self):
        self.looks_right(360, 740, "dark")

    def test_narrow_light(self):
        self.looks_right(360, 740, "light")

    def test_wide(self):
        self.looks_right(3840, 2160, "dark")


if __name__ == "__main__":
    unittest.main()
