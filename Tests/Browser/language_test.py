"""Tests the page in each language: no part of it stays English, no text is cut off or leaves its box, and dates and numbers follow the
language's conventions.

  language_test.py                the tests
  language_test.py FOLDER         the tests, and screenshots for inspection
"""
import os, re, sys, unittest

from studio import PROJECT, Browser, Keys, Studio, fixtures

SHOTS = sys.argv.pop() if len(sys.argv) > 1 and os.path.isdir(sys.argv[-1]) else None
SIZES = ((1280, 800), (390, 800))
# The language that a browser requests; the month of a fixture, a size in kilobytes and a decimal comma (Unicode's CLDR 44).
LANGUAGES = {
    "en": ("en-US,en", "January 2025", r"\d(\.\d)? [kM]B"),
    "de": ("de-AT,de,en", "Jänner 2025", r"\d(,\d)? [kM]B"),
    "es": ("es-ES,es,en", "enero de 2025", r"\d(,\d)? [kM]B"),
    "it": ("it-IT,it,en", "gennaio 2025", r"\d(,\d)? [kM]B"),
    "ru": ("ru-RU,ru,en", "январь 2025 г.", r"\d(,\d)? [кМ]Б"),
}

# The texts that are visible or read aloud, with the layout errors of the visible ones.
LOOK = r"""
const inSight = (element) => element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && !element.closest("[inert], .unseen");
const texts = new Set(), faults = [];
const own = (element) => [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
for (const element of document.body.querySelectorAll("*")) {
  if (["SCRIPT", "NOSCRIPT", "OPTION"].includes(element.tagName) || !inSight(element)) continue;
  for (const name of ["title", "aria-label", "placeholder"]) if (element.getAttribute(name)) texts.add(element.getAttribute(name));
  for (const node of own(element)) {
    texts.add(node.textContent.trim());
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (!text.width) continue;
    const say = (what) => faults.push(`${what}: ${element.tagName}.${element.className} “${node.textContent.trim()}”`);
    // The ruler is partly visible, and names of files and cameras, which may have any length, end with an ellipsis.
    if (element.closest(".ruler, .names")) continue;
    const { display } = getComputedStyle(element);
    if (display !== "inline" && element.clientWidth && element.scrollWidth > element.clientWidth + 1) say(`${element.scrollWidth} in ${element.clientWidth}`);
    if (innerWidth > 1000 && text.right > innerWidth + 1 && !element.closest(".row")) say("lies beyond the window");
    const box = element.closest("button, .chip, .segments, .slider, .card, dialog, .top, .selection, aside");
    if (!box || box.scrollWidth > box.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)) continue;
    const room = box.getBoundingClientRect();
    if (text.left < room.left - 1 || text.right > room.right + 1) say(`leaves ${box.tagName}.${box.className} by ${Math.round(Math.max(room.left - text.left, text.right - room.right))}`);
  }
}
if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than its window");
return { texts: [...texts], faults };
"""


def english():
    """The English texts of the page that contain no values."""
    with open(os.path.join(PROJECT, "Sources", "Studio", "Page", "core", "english.js"), encoding="utf-8") as file:
        source = re.sub(r'"\n    \+ "', "", file.read())
    texts = dict(re.findall(r'^  "([^"]+)": "((?:[^"\\]|\\.)*)",$', source, re.M))
    return {name: text for name, text in texts.items() if "{" not in text}


class LanguageTest(unittest.TestCase):
    """One studio and one browser, with changing languages."""

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(fixtures("IMG_0001", "IMG_0002", "IMG_0003"))
        cls.addClassCleanup(cls.studio.end)
        cls.browser = Browser(features=[("prefers-reduced-motion", "reduce")])
        cls.addClassCleanup(cls.browser.end)
        cls.agent = cls.browser.run("return navigator.userAgent")

    def open(self, languages):
        """Opens the page as a browser that prefers these languages."""
        self.browser.command("Emulation.setUserAgentOverride", userAgent=self.agent, acceptLanguage=languages)
        self.browser.driver.get("about:blank")
        self.browser.open(self.studio.address)
        self.texts = set()

    def look(self, language, place):
        """Collects the texts of a view, and checks their layout in windows of each size."""
        for width, height in SIZES:
            self.browser.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.browser.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            seen = self.browser.run(LOOK)
            self.texts |= set(seen["texts"])
            if SHOTS:
                with open(os.path.join(SHOTS, f"{language}-{place}-{width}.png"), "wb") as file:
                    file.write(self.browser.driver.get_screenshot_as_png())
            for fault in seen["faults"]:
                self.faults.append(f"{language}, {place}, {width}: {fault}")
        width, height = SIZES[0]
        self.browser.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def walk(self, language, month, size):
        browser = self.browser
        self.assertEqual(browser.run("return document.documentElement.lang"), language)
        headings = browser.run("return [...document.querySelectorAll('.headings h2')].map(heading => heading.firstChild.textContent)")
        self.assertIn(month, headings)
        self.look(language, "grid")
        browser.press(" ")
        browser.until("!document.querySelector('.selection').hidden")
        self.look(language, "selection")
        browser.press("?")
        browser.until("document.querySelector('dialog[open] dl.keys')")
        self.look(language, "keys")
        browser.press(Keys.ESCAPE)
        browser.until("!document.querySelector('dialog[open]')")
        browser.press("s")
        browser.until("document.querySelectorAll('dialog .links a').length == 2")
        self.assertRegex(browser.run("return document.querySelector('dialog .links .size').textContent").replace("\xa0", " "), size)
        self.look(language, "share")
        browser.press(Keys.ESCAPE)
        browser.until("!document.querySelector('dialog[open]')")
        browser.view("IMG_0001")
        browser.press("i", "p")
        browser.until("document.querySelectorAll('.facts dd').length > 7 && document.querySelectorAll('.viewer .presets .preset').length > 20")
        self.look(language, "viewer")
        browser.press(Keys.ESCAPE, Keys.ESCAPE, "e")
        browser.until("document.querySelector('.editor:not([hidden]):not([aria-busy])')?.dataset.drawn")
        for group in browser.run("return [...document.querySelectorAll('.editPanel .group:not([hidden])')].map(tab => tab.dataset.group)"):
            browser.run("document.querySelector(`.group[data-group=${arguments[0]}]`).click()", group)
            pages = browser.run("return document.querySelector('.controls .segments')?.children.length ?? 1") if group in ("light", "color") else 1
            for page in range(pages):
                if page:
                    browser.run("document.querySelector('.controls .segments').children[arguments[0]].click()", page)
                self.look(language, f"editor-{group}-{page}")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.editor[hidden]')")

    def test_every_language(self):
        self.faults = []
        for language, (accepted, month, size) in LANGUAGES.items():
            with self.subTest(language):
                self.open(accepted)
                self.walk(language, month, size)
                translated = self.browser.driver.execute_async_script("import('./language.js').then(module => arguments[0](module.TRANSLATION))")
                left = {name: text for name, text in english().items()
                        if text in self.texts and translated.get(name.removesuffix(".one").removesuffix(".other"), [text])[0] != text
                        # In this language, the same word may be the translation of another text.
                        and not any(text in forms for forms in translated.values())}
                self.assertEqual(left, {}, language)
                if language != "en":
                    self.assertGreater(len(translated), 300)
        self.assertEqual(len(self.faults), 0, "\n".join(self.faults))

    def test_other_languages_are_english_with_dates_of_the_world(self):
        self.open("fr-FR,fr")
        self.assertEqual(self.browser.run("return document.documentElement.lang"), "en")
        self.browser.view("IMG_0001")
        self.assertRegex(self.browser.run("return document.querySelector('.viewer .when').textContent"), r"^29 Dec 2019, 19:01 ")

    def test_sentences_of_the_server_are_in_the_language_of_the_page(self):
        self.open("de-DE,de")
        self.browser.find(".search input").send_keys("kind = nothing", Keys.ENTER)
        said = self.browser.until("document.querySelector('.complaint').textContent")
        self.assertNotIn("the filter", said)
        self.assertNotIn("must be one of", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
