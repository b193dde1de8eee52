"""Tests every component of the page in each of its states, light and dark, narrow and with large text: axe-core must find no problems, and
nothing may be wider than the page.

  stories_test.py                 the tests
  stories_test.py FOLDER          the tests, and screenshots of every story for inspection
"""
import functools, http.server, os, sys, threading, unittest

from studio import PROJECT, Browser

PAGE = os.path.join(PROJECT, "Sources", "Studio", "Page")
STORIES = os.path.join(PROJECT, "Tests", "Browser", "Stories")
SHOTS = sys.argv.pop() if len(sys.argv) > 1 and os.path.isdir(sys.argv[-1]) else None
LOOKS = {"dark": {}, "light": {"scheme": "light"}, "narrow": {"width": 360}, "large": {"zoom": 1.5}}


class Handler(http.server.SimpleHTTPRequestHandler):
    """The files of the page together with those of the stories, and one picture for all picture addresses."""

    def translate_path(self, path):
        name = path.split("?")[0].lstrip("/")
        if name.startswith("api/"):
            found = os.path.join(PROJECT, "Fixtures", "IMG_0003.JPG") if ("/picture" in name or "/thumbnail" in name) and "/broken/" not in name else "/nothing"
            return found
        return next((path for path in (os.path.join(folder, name) for folder in (STORIES, PAGE)) if os.path.isfile(path)), "/nothing")

    def log_message(self, *arguments):
        pass


class StoriesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def look(self, name, scheme="dark", width=1160, zoom=1):
        browser = Browser(width=width, height=900, features=[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")])
        self.addCleanup(browser.end)
        browser.driver.get(f"http://127.0.0.1:{self.server.server_address[1]}/stories.html")
        browser.until("document.body.dataset.ready")
        if zoom != 1:
            # Like a browser's setting for large text: everything on the page becomes larger, so less of it fits.
            browser.command("Emulation.setDeviceMetricsOverride", width=int(width / zoom), height=int(900 / zoom), deviceScaleFactor=zoom, mobile=False)
        browser.until("[...document.images].every(image => image.complete || image.loading === 'lazy')")
        if SHOTS:
            browser.command("Emulation.setDeviceMetricsOverride", width=int(width / zoom), height=2400, deviceScaleFactor=zoom, mobile=False)
            for index, story in enumerate(browser.all(".story")):
                mark = story.find_elements("css selector", "[data-focus]")
                if mark:
                    browser.run("arguments[0].focus({ focusVisible: true })", mark[0])
                with open(os.path.join(SHOTS, f"{name}-{index:02}-{story.get_attribute('id')}.png"), "wb") as file:
                    file.write(story.screenshot_as_png)
        self.assertEqual(browser.findings(), [], name)
        beyond = browser.run("""return [...document.querySelectorAll('.state')].filter(state => state.getBoundingClientRect().right > innerWidth + 1)
          .map(state => state.closest('.story').id + ': ' + state.firstChild.textContent)""")
        self.assertEqual(beyond, [], f"{name}: wider than the page")
        self.assertGreater(len(browser.all(".state")), 60)
        browser.collect()
        self.assertEqual([message for message in browser.messages if "/broken/" not in message and "404" not in message], [], name)

    def test_dark(self):
        self.look("dark")

    def test_light(self):
        self.look("light", **LOOKS["light"])

    def test_narrow_and_large(self):
        for name in ("narrow", "large"):
            with self.subTest(name):
                self.look(name, **LOOKS[name])


if __name__ == "__main__":
    unittest.main()
