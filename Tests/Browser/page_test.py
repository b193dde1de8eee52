"""Tests the page of liveedit studio as people use it, in Chromium."""
import json, os, shutil, subprocess, tempfile, time, unittest

from selenium.webdriver.common.action_chains import ActionChains
from studio import AXE, PATIENCE, Browser, Keys, Studio, displayed, fixtures, main_path

LIVE = ("IMG_0001", "IMG_0002", "IMG_0003", "IMG_0004")
SAMPLES = os.environ.get("LIVEEDIT_SAMPLES")


class PageTest(unittest.TestCase):
    """A studio and a browser for each test; afterwards, no request may have gone to another host, and no script may have failed."""

    files = fixtures(*LIVE)
    options = ()
    window = {}

    def setUp(self):
        self.studio = Studio(self.files, *self.options)
        self.addCleanup(self.studio.end)
        self.browser = Browser(**self.window)
        self.addCleanup(self.browser.end)
        self.browser.open(self.studio.address)

    def tearDown(self):
        self.browser.collect()
        own = tuple(f"http://127.0.0.1:{port}/" for port in self.studio.ports)
        self.assertEqual([url for url in self.browser.requests if not url.startswith(own + ("data:", "blob:", "chrome"))], [])
        self.assertEqual([message for message in self.browser.messages if "ERR_" not in message and "status of" not in message], [])

    def no_findings(self, place):
        if AXE:
            self.assertEqual(self.browser.findings(), [], place)

    def listen(self):
        """Records the page's messages to screen readers."""
        self.browser.run("window.heard = []; const announcer = document.getElementById('announcer');"
                         "new MutationObserver(() => heard.push(announcer.textContent)).observe(announcer, {childList: true})")

    def hear(self, *words):
        """Waits until one message to screen readers contains all of these words."""
        self.browser.until(f"heard.some(text => {json.dumps(words)}.every(words => text.includes(words)))")

    def wait_for(self, *names):
        """Waits until there are files of these names."""
        end = time.monotonic() + PATIENCE
        while not set(names) <= set(self.studio.files()):
            self.assertLess(time.monotonic(), end, f"{names} are not among {self.studio.files()}")
            time.sleep(0.1)


class FirstUseTest(PageTest):
    options = ()

    @main_path
    def test_turn_preset_revert_share(self):
        browser = self.browser
        self.assertEqual(len(browser.all(".tile")), 4)
        self.assertEqual(browser.until("document.querySelectorAll('.tile .badge').length"), 4)
        self.listen()
        before = {name: displayed(os.path.join(self.studio.photos, name)) for name in self.studio.files()}
        bytes_before = {name: open(os.path.join(self.studio.photos, name), "rb").read() for name in self.studio.files()}
        # All of them are rotated.
        browser.press(Keys.CONTROL + "a")
        browser.until("document.querySelector('.selection .count').textContent.startsWith('4')")
        browser.act("Rotate right")
        self.hear("4 of 4 done")
        for name, size in before.items():
            self.assertEqual(displayed(os.path.join(self.studio.photos, name.replace("IMG_", "IMG_E"))), size[::-1], name)
        # Apply a preset to all; the rotation is kept.
        browser.act("Presets")
        browser.until("[...document.querySelectorAll('.presetGrid img')].filter(img => img.complete && img.naturalWidth).length > 3")
        self.no_findings("presets")
        browser.click("[...document.querySelectorAll('.presetGrid .preset')].find(button => button.innerText.trim() == 'mono')")
        photo = os.path.join(self.studio.photos, "IMG_E0001.JPG")
        self.hear("mono", "4 of 4 done")
        self.assertFalse(colourful(photo))
        self.assertEqual(displayed(photo), before["IMG_0001.JPG"][::-1])
        browser.until("!document.querySelector('.tray .card')")
        # Undo and redo for one of them.
        browser.press(Keys.ESCAPE)
        browser.view("IMG_0001")
        browser.press("z")
        self.hear("1 of 1 done")
        self.assertTrue(colourful(photo))
        # Share one without its location; the page lists its files with their sizes before it shares them.
        browser.press("s")
        browser.until("document.querySelector('dialog img')?.naturalWidth")
        told = browser.until("document.querySelectorAll('.links a').length == 2 && [...document.querySelectorAll('.links .size')].map(size => size.textContent)")
        self.assertEqual(os.listdir(browser.downloads), [])
        self.no_findings("share")
        # Share it with the location, and then without, while the first request is still on its way: the last choice is shared.
        browser.run("""
            const real = window.fetch;
            window.held = [];
            window.fetch = async (...request) => {
              if (String(request[0]).endsWith('share') && request[1]?.method == 'POST') await new Promise((done) => held.push(done));
              return real(...request);
            }""")
        box = browser.find("dialog .choice input[type=checkbox]")
        for number in (1, 2):
            box.click()
            browser.until(f"held.length == {number}")
        browser.run("held.forEach(letGo => letGo())")
        told = browser.until("document.querySelectorAll('.links a').length == 2 && [...document.querySelectorAll('.links .size')].map(size => size.textContent)")
        browser.act("Download")
        end = time.monotonic() + PATIENCE
        while len([name for name in os.listdir(browser.downloads) if not name.endswith(".crdownload")]) < 2:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        shared = sorted(os.listdir(browser.downloads))
        self.assertEqual([name.rsplit(".")[1] for name in shared], ["JPG", "MOV"])
        for text, name in zip(told, shared):
            number, unit = text.split()
            size = os.path.getsize(os.path.join(browser.downloads, name))
            self.assertAlmostEqual(float(number) * {"kB": 1e3, "MB": 1e6}[unit], size, delta=size / 20)
        tags = subprocess.run(["exiftool", "-ee", "-G", "-a", *(os.path.join(browser.downloads, name) for name in shared)], capture_output=True, text=True).stdout
        self.assertNotIn("GPS", tags)
        self.assertIn("Content Identifier", tags)
        self.assertEqual(bytes_before, {name: open(os.path.join(self.studio.photos, name), "rb").read() for name in before})

    @main_path
    def test_albums_marks_search(self):
        browser = self.browser
        browser.press(" ")
        browser.act("Album")
        self.no_findings("albums")
        browser.find("dialog input").send_keys("Summer", Keys.ENTER)
        browser.until("[...document.querySelectorAll('.albums button')].some(button => button.innerText.startsWith('Summer'))")
        # In one step, because the list is rebuilt whenever the server reports a change.
        browser.until("(() => { const album = [...document.querySelectorAll('.albums button')].find(button => button.innerText.startsWith('Summer'));"
                      " album?.click(); return !!album; })()")
        browser.until("document.querySelectorAll('.tile').length == 1")
        browser.act("All photos")
        browser.until("document.querySelectorAll('.tile').length == 4")
        browser.tile("IMG_0002").click()
        browser.until("document.querySelector('.viewer:not([hidden])')")
        browser.press("f")
        browser.until("document.querySelector('.viewer .tool.on')")
        # A mark that did not reach the server is not shown as set.
        browser.until("(() => { window.kept = fetch; window.fetch = (...words) => String(words[0]).includes('marks') ?"
                      " Promise.reject(new TypeError('gone')) : kept(...words); return true; })()")
        browser.press("f")
        browser.until("document.querySelector('.tray').textContent.includes('liveedit is not responding.') && document.querySelector('.viewer .tool.on')")
        browser.until("(() => { window.fetch = kept; return true; })()")
        browser.press(Keys.ESCAPE)
        browser.act("Favourites")
        browser.until("document.querySelectorAll('.tile').length == 1 && document.querySelector('.tile').getAttribute('aria-label').includes('IMG_0002')")
        browser.act("Clear search")
        browser.until("document.querySelectorAll('.tile').length == 4")
        browser.find(".search input").send_keys("name contains IMG_0003")
        browser.until("document.querySelectorAll('.tile').length == 1")
        browser.find(".search input").send_keys(" and", Keys.ENTER)
        browser.until("document.querySelector('.complaint').textContent.includes('expected')")


class SelectionTest(PageTest):
    count = "document.querySelector('.selection:not([hidden]) .count')?.textContent"

    def test_what_is_not_shown_any_more_is_not_selected(self):
        browser = self.browser
        browser.press(Keys.CONTROL + "a")
        browser.until(f"{self.count} == '4 selected'")
        os.remove(os.path.join(self.studio.photos, "IMG_0002.JPG"))
        os.remove(os.path.join(self.studio.photos, "IMG_0002.MOV"))
        browser.until("document.querySelectorAll('.tile').length == 3")
        browser.until(f"{self.count} == '3 selected'")
        # A hidden photo disappears from view and from the selection.
        browser.act("Hide")
        browser.until("document.querySelectorAll('.tile').length == 0")
        browser.until("document.querySelector('.selection').hidden")

    def test_all_are_those_of_the_list_that_is_wanted(self):
        browser = self.browser
        # The next list takes a long time to arrive; a selection made meanwhile applies to that list.
        browser.run("""
            window.real = window.fetch;
            window.held = [];
            window.fetch = async (...request) => {
              if (String(request[0]).includes('sections')) await new Promise((done) => held.push(done));
              return real(...request);
            }""")
        field = browser.find(".search input")
        field.send_keys("name contains IMG_0003", Keys.ENTER)
        browser.until("held.length")
        browser.run("document.querySelector('.tile').focus()")
        browser.press(Keys.CONTROL + "a")
        browser.run("window.fetch = real; held.forEach(letGo => letGo())")
        browser.until("document.querySelectorAll('.tile').length == 1")
        browser.until(f"{self.count} == '1 selected'")
        browser.until("document.querySelector('.tile').getAttribute('aria-selected') == 'true'")


class TabsTest(PageTest):
    def test_many_tabs_and_what_one_missed(self):
        browser = self.browser
        first = browser.driver.current_window_handle
        for _ in range(7):
            greet(browser)
            see(browser, False)
            browser.driver.switch_to.new_window("tab")
            browser.open(self.studio.address)
            browser.until("document.querySelectorAll('.tile .badge').length == 4")
        self.studio.copy("IMG_0001", "IMG_0011")
        browser.until("document.querySelectorAll('.tile').length == 5")
        browser.driver.switch_to.window(first)
        self.assertEqual(len(browser.all(".tile")), 4)
        see(browser, True)
        browser.until("document.querySelectorAll('.tile').length == 5")
        self.assertTrue(browser.run("return document.querySelector('.banner').hidden"))


class WindowsTest(PageTest):
    """Windows that all count as visible: without a screen, each window reports that it is."""

    def open(self, count):
        """That many windows on the studio, including the first one, in the order in which they were opened."""
        for _ in range(1, count):
            self.browser.driver.switch_to.new_window("window")
            self.browser.open(self.studio.address)
            self.browser.until("document.querySelectorAll('.tile .badge').length == 4 && !document.hidden")
        return self.browser.windows

    def at(self, window):
        self.browser.driver.switch_to.window(window)
        return self.browser

    def copy(self, number):
        """Adds a Live Photo to the folder, and waits until the server has reported it to all listeners."""
        wait = self.studio.changes()
        self.studio.copy("IMG_0001", "IMG_" + number)
        wait()
        end = time.monotonic() + PATIENCE
        while not any(asset["name"] == "IMG_" + number and asset["kind"] == "live" for asset in self.studio.ask("api/1/assets?limit=1000")["assets"]):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def greet(self, window):
        greet(self.at(window))

    def hold_up(self, window):
        """Holds back the next stream that a window opens until it is released; the window receives no events meanwhile."""
        self.at(window).run("""
            const Real = window.EventSource;
            window.EventSource = class {
              static CLOSED = 2;
              calls = [];
              constructor(address) {
                window.letGo = () => {
                  this.real = new Real(address);
                  for (const call of this.calls) this.real.addEventListener(...call);
                };
              }
              addEventListener(...call) { this.calls.push(call); }
              close() { this.real?.close(); }
              get readyState() { return this.real?.readyState ?? 0; }
            }""")

    def let_go(self, window):
        """Releases the stream."""
        self.at(window).until("window.letGo")
        self.browser.run("letGo()")

    def test_seven_windows_load_and_hear_of_an_end(self):
        browser = self.browser
        windows = self.open(7)
        for window in windows:
            self.greet(window)
            self.listen()
        browser.press(Keys.CONTROL + "a")
        browser.act("Rotate right")
        for window in windows:
            self.at(window)
            self.hear("4 of 4 done")
            browser.until("[...document.querySelectorAll('.tile')].filter(tile => tile.getAttribute('aria-label').includes('edited')).length == 4")
        browser.collect()
        self.assertEqual(len([url for url in browser.requests if url.endswith("api/1/events")]), 1)

    def test_another_takes_over_and_nothing_is_missed(self):
        browser = self.browser
        first, second, third = self.open(3)
        for window in (third, second):
            self.greet(window)
        self.hold_up(second)
        # The window with the stream is closed; all remaining windows show the changes made before the next window has the stream.
        self.at(first).driver.close()
        self.at(second).until("window.letGo")
        self.copy("0011")
        self.let_go(second)
        for window in (third, second):
            self.at(window).until("document.querySelectorAll('.tile').length == 5")
        # Then that window is covered, and becomes visible again.
        self.hold_up(third)
        see(self.at(second), False)
        self.at(third).until("window.letGo")
        self.copy("0012")
        self.let_go(third)
        browser.until("document.querySelectorAll('.tile').length == 6")
        self.assertEqual(len(self.at(second).all(".tile")), 5)
        see(browser, True)
        browser.until("document.querySelectorAll('.tile').length == 6")
        self.copy("0013")
        for window in (second, third):
            self.at(window).until("document.querySelectorAll('.tile').length == 7")

    def test_all_hear_that_the_server_goes_and_comes_back(self):
        browser = self.browser
        windows = self.open(3)
        for window in windows:
            self.greet(window)
        self.studio.kill()
        for window in windows:
            self.at(window).until("!document.querySelector('.banner').hidden")
        # A window that becomes visible meanwhile also receives the change.
        for is_seen in (False, True):
            see(browser, is_seen)
        self.studio.start()
        self.copy("0011")
        for window in windows:
            self.at(window).until("document.querySelector('.banner').hidden")
            browser.until("document.querySelectorAll('.tile').length == 5")

    def test_each_has_its_own_stream_where_there_are_no_locks(self):
        browser = self.browser
        windows = browser.windows
        browser.driver.switch_to.new_window("window")
        browser.command("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(Navigator.prototype, 'locks', {get: () => undefined})")
        browser.open(self.studio.address)
        self.assertTrue(browser.run("return navigator.locks === undefined"))
        windows.append(browser.driver.current_window_handle)
        for window in windows:
            self.greet(window)
        self.copy("0011")
        for window in windows:
            self.at(window).until("document.querySelectorAll('.tile').length == 5")


# The event that a browser sends to a tab when another one covers it; a browser without a screen never sends it.
SEE = """
    const see = (isSeen) => {
      Object.defineProperty(document, 'hidden', {configurable: true, get: () => !isSeen});
      document.dispatchEvent(new Event('visibilitychange'));
    };"""


def see(browser, is_seen):
    browser.run(SEE + "see(arguments[0]);", is_seen)


def greet(browser):
    """Waits until a window has received the server's greeting, and the lists that it requests after that."""
    browser.until("(() => { const asked = (part) => performance.getEntriesByType('resource').findLast(({name}) => name.includes(part))?.startTime;"
                  " return asked('api/1/assets?') > asked('api/1/jobs'); })()")


class ViewerTest(PageTest):
    @main_path
    def test_looking(self):
        browser = self.browser
        self.no_findings("grid")
        browser.view("IMG_0002")
        self.no_findings("viewer")
        browser.press(" ")
        browser.until("document.querySelector('.viewer video.movie')?.currentTime > 0.1")
        browser.press("i")
        browser.until("document.querySelectorAll('.facts dd').length > 7")
        browser.act("Check photo and movie")
        browser.until("document.querySelector('.verdict .valid')")
        self.no_findings("facts")
        browser.press(Keys.ESCAPE)
        browser.press("c")
        browser.until("document.querySelector('.before').naturalWidth")
        line = browser.find(".divider")
        self.assertEqual(line.get_attribute("aria-valuenow"), "50")
        line.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(line.get_attribute("aria-valuenow"), "48")
        self.no_findings("compare")
        browser.press(Keys.ESCAPE)
        browser.act("Versions")
        browser.until("document.querySelector('.versions .preset')")
        self.no_findings("versions")

    def test_a_turn_shows_at_once_and_in_another_window(self):
        browser = self.browser
        # This is another Chromium, which shares no event stream with the first.
        other = Browser(composes_on_gpu=True)
        self.addCleanup(other.end)
        other.open(self.studio.address)
        browser.view("IMG_0001")
        shape = browser.run("const picture = document.querySelector('.viewer .picture'); return picture.offsetWidth > picture.offsetHeight")
        # The transformation may have ended before the test can look.
        browser.run("window.turns = []; const picture = document.querySelector('.viewer .picture');"
                    "new MutationObserver(() => turns.push(picture.style.transform)).observe(picture, {attributeFilter: ['style']})")
        browser.press("r")
        browser.until("turns.length")
        self.assertIn("rotate(90deg)", browser.run("return turns[0]"))
        browser.until("!document.querySelector('.viewer .picture').style.transform")
        # A user who does not see the change hears it.
        browser.until("document.getElementById('announcer').textContent == 'Rotate IMG_0001: 1 of 1 done'")
        self.assertEqual(browser.find("#announcer").get_attribute("aria-live"), "polite")
        self.assertNotEqual(browser.run("const picture = document.querySelector('.viewer .picture'); return picture.offsetWidth > picture.offsetHeight"), shape)
        other.until("[...document.querySelectorAll('.tile')].some(tile => tile.getAttribute('aria-label').includes('IMG_0001') && tile.getAttribute('aria-label').includes('edited'))")

    def test_what_goes_is_told_before(self):
        browser = self.browser
        browser.view("IMG_0004")
        browser.run("arguments[0].focus()", browser.find(".viewer [aria-label='Rotate right']"))
        dry = self.studio.liveedit("rotate", "--degrees", "90", "--dry-run", "IMG_0004.HEIC")
        names = [line.split(": ", 1)[1].split(" (")[0] for line in dry.splitlines() if "remove" in line and ": " in line]
        if names:
            text = browser.until("!document.querySelector('.removals').hidden && document.querySelector('.removals').textContent")
            for name in names:
                self.assertIn(name, text)


class TroubleTest(PageTest):
    files = fixtures("IMG_0001", "IMG_0002")

    def setUp(self):
        self.files = list(self.files)
        super().setUp()

    def test_a_broken_file_is_told_and_the_others_are_turned(self):
        with open(os.path.join(self.studio.photos, "IMG_0009.JPG"), "wb") as file:
            file.write(open(self.files[0] if self.files[0].endswith("JPG") else self.files[1], "rb").read()[:9000])
        browser = self.browser
        browser.until("document.querySelectorAll('.tile').length == 3")
        browser.run("document.querySelector('.tile').focus()")
        browser.press(Keys.CONTROL + "a")
        browser.until("document.querySelector('.selection .count').textContent.startsWith('3')")
        browser.act("Rotate right")
        text = browser.until("document.querySelector('.card.failed .failures')?.innerText")
        self.assertIn("IMG_0009.JPG", text)
        self.assertIn(";", text)
        self.wait_for("IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_E0002.JPG", "IMG_E0002.MOV")
        self.no_findings("failure")
        self.assertNotIn("IMG_E0009.JPG", self.studio.files())

    def test_the_server_is_killed_and_comes_back(self):
        browser = self.browser
        browser.view("IMG_0001")
        browser.press("r")
        self.wait_for("IMG_E0001.JPG", "IMG_E0001.MOV")
        self.studio.kill()
        text = browser.until("!document.querySelector('.banner').hidden && document.querySelector('.banner').textContent")
        self.assertIn("liveedit studio", text)
        self.no_findings("banner")
        self.studio.start()
        # The page continues in the same place.
        browser.until("document.querySelector('.banner').hidden")
        browser.press(Keys.ESCAPE)
        browser.tile("IMG_0001")
        browser.until("[...document.querySelectorAll('.tile')].filter(tile => tile.getAttribute('aria-label').includes('edited')).length == 1")
        browser.view("IMG_0002")
        browser.press("r")
        self.wait_for("IMG_E0002.JPG", "IMG_E0002.MOV")

    def test_work_that_a_kill_interrupts_is_told(self):
        browser = self.browser
        # Long enough to be killed: many copies of one movie.
        self.studio.copy("IMG_0001", *[f"IMG_00{number}" for number in range(10, 30)])
        browser.until("document.querySelectorAll('.tile').length == 22")
        browser.run("document.querySelector('.tile').focus()")
        browser.press(Keys.CONTROL + "a")
        browser.until("document.querySelector('.selection .count').textContent.startsWith('22')")
        browser.act("Rotate right")
        browser.until("[...document.querySelectorAll('.card .state')].some(state => /^[1-9]\\d* of 22 done/.test(state.textContent))")
        self.studio.kill()
        self.studio.start()
        browser.until("[...document.querySelectorAll('.card.failed')].some(card => card.innerText.includes('stopped before'))")
        browser.until("document.querySelector('.banner').hidden")
        browser.act("Rotate right")
        self.wait_for(*[f"IMG_E00{number}.{half}" for number in range(10, 30) for half in ("JPG", "MOV")])

    def test_quit(self):
        self.browser.act("Quit liveedit")
        self.browser.until("document.querySelector('.banner').textContent.includes('was stopped')")
        self.assertEqual(self.studio.process.wait(PATIENCE), 0)


class LongWorkTest(PageTest):
    """So many photos that even a fast computer leaves time for other actions meanwhile."""

    files = fixtures("IMG_0002")
    copies = 40

    def setUp(self):
        super().setUp()
        self.studio.copy("IMG_0001", *[f"IMG_0{number}" for number in range(100, 100 + self.copies)])
        # Only visible assets have a tile; each tile states the total number.
        self.browser.until(f"document.querySelector('.tile')?.getAttribute('aria-setsize') == '{self.copies + 1}'")
        self.browser.run("document.querySelector('.tile').focus()")
        self.browser.press(Keys.CONTROL + "a")
        self.browser.until(f"document.querySelector('.selection .count').textContent.startsWith('{self.copies + 1} ')")


class CancelTest(LongWorkTest):
    copies = 120

    def test_what_is_cancelled_stops(self):
        browser = self.browser
        browser.act("Rotate right")
        browser.until("document.querySelector('.tray .card button')").click()
        browser.until("!document.querySelector('.tray progress:not([hidden])')")
        # Jobs run in order: after the next job, the cancelled one can make no more files.
        browser.act("Clear selection")
        self.listen()
        browser.view("IMG_0002")
        made = []
        for key, title in (("r", "Rotate"), ("h", "Mirror")):
            browser.press(key)
            self.hear(title, "1 of 1 done")
            made.append([name for name in self.studio.files() if name.startswith("IMG_E")])
        self.assertLess(len(made[0]), 242)
        self.assertEqual(*made)


class CoveredTest(LongWorkTest):
    def test_a_covered_tab_hears_the_end_of_its_work(self):
        browser = self.browser
        # As soon as the progress appears, which happens if the work takes longer than a moment.
        browser.run(SEE + """
            new MutationObserver((_, observer) => {
              if (!document.querySelector('.tray progress:not([hidden])')) return;
              observer.disconnect();
              see(false);
            }).observe(document.body, {subtree: true, childList: true, attributes: true});""")
        browser.act("Rotate right")
        browser.until("document.hidden && !document.querySelector('.tray progress:not([hidden])')")


class FolderTest(PageTest):
    """Shared files can be put into a folder, and pictures can be dragged."""

    def setUp(self):
        self.shared = tempfile.mkdtemp(prefix="shared-")
        self.addCleanup(shutil.rmtree, self.shared)
        self.options = ("--share-to", self.shared)
        super().setUp()

    def test_share_into_a_folder(self):
        browser = self.browser
        browser.view("IMG_0004")
        browser.act("Share")
        browser.until("document.querySelector('dialog img')?.naturalWidth")
        browser.find("dialog input[value=still]").click()
        browser.act("Save to folder")
        browser.until("document.querySelector('.placed').textContent.includes('Saved')")
        names = [name for _, _, files in os.walk(self.shared) for name in files]
        self.assertEqual(len(names), 1, names)
        self.assertNotIn("GPS", subprocess.run(["exiftool", "-r", "-G", self.shared], capture_output=True, text=True).stdout)

    def test_drag_onto_an_album(self):
        browser = self.browser
        browser.press(" ")
        browser.act("Album")
        browser.find("dialog input").send_keys("Summer", Keys.ENTER)
        count = "[...document.querySelectorAll('.albums button')].find(button => button.innerText.startsWith('Summer'))?.innerText.split('\\n')[1]"
        browser.until(f"{count} == '1'")
        tile = browser.tile("IMG_0003" if "IMG_0003" not in browser.run("return document.querySelector('.tile[aria-selected=true]').getAttribute('aria-label')") else "IMG_0002")
        browser.act("Clear selection")
        browser.run("""const [tile, album] = arguments; const data = new DataTransfer();
            const send = (target, name) => target.dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}));
            send(tile, 'dragstart'); send(album, 'dragover'); send(album, 'drop');""", tile,
                    browser.run("return [...document.querySelectorAll('.albums button')].find(button => button.innerText.startsWith('Summer'))"))
        browser.until(f"{count} == '2'")


class KeyboardTest(PageTest):
    def test_once_through_without_a_mouse(self):
        browser = self.browser
        browser.press("?")
        browser.until("document.querySelector('dialog[open]')")
        self.no_findings("keys")
        browser.press(Keys.ESCAPE)
        browser.until("document.activeElement.matches('.tile')")
        first = browser.run("return document.activeElement.getAttribute('aria-posinset')")
        browser.press(Keys.ARROW_RIGHT)
        self.assertNotEqual(browser.run("return document.activeElement.getAttribute('aria-posinset')"), first)
        browser.press(" ")
        browser.until("document.activeElement.getAttribute('aria-selected') == 'true'")
        self.no_findings("selection")
        browser.press(Keys.ESCAPE, Keys.ENTER)
        browser.until("document.querySelector('.viewer:not([hidden]) .picture .sharp.loaded')")
        title = browser.find(".viewer h1").text
        browser.press(Keys.ARROW_RIGHT)
        browser.until(f"document.querySelector('.viewer h1').textContent != '{title}'")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.viewer').hidden && document.activeElement.matches('.tile')")
        # Tab reaches everything, in the displayed order, and the focused element is visible.
        names = []
        browser.run("document.activeElement.blur(); document.body.focus()")
        for _ in range(24):
            # Sent to the page, because the focused element may disappear before a key reaches it.
            ActionChains(browser.driver).send_keys(Keys.TAB).perform()
            name, seen = browser.run("const it = document.activeElement; const box = it.getBoundingClientRect(); "
                                     "return [it.getAttribute('aria-label') || it.textContent.trim() || it.tagName, box.width > 0 && box.height > 0]")
            self.assertTrue(seen, name)
            names.append(name)
        for name in ("Search", "Live Photos", "Keyboard shortcuts", "All photos"):
            self.assertTrue(any(name in one for one in names), (name, names))
        places = [names.index(name) for name in ("Search", "Live Photos", "Keyboard shortcuts") if name in names]
        self.assertEqual(places, sorted(places))


class NarrowTest(PageTest):
    window = {"width": 360, "height": 740}

    def test_everything_fits(self):
        browser = self.browser
        fits = "document.documentElement.scrollWidth <= innerWidth"
        self.assertTrue(browser.run(f"return {fits}"))
        self.no_findings("narrow grid")
        browser.view("IMG_0001")
        self.assertTrue(browser.run(f"return {fits}"))
        for button in browser.all(".viewer .bar button"):
            box = button.rect
            self.assertTrue(0 <= box["x"] and box["x"] + box["width"] <= 360, button.get_attribute("title"))
        browser.press("s")
        browser.until("document.querySelector('dialog img')?.naturalWidth")
        self.assertTrue(browser.run("const box = document.querySelector('dialog').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth"))
        self.no_findings("narrow share")


    def test_the_albums_are_closed_where_a_hand_is(self):
        browser = self.browser
        shown = "document.querySelector('.side').checkVisibility()"
        menu = browser.find("button.menu")
        for close in (lambda: browser.press(Keys.ESCAPE), lambda: browser.act("All photos"),
                      # Beside the controls, on a photo, which does not open.
                      lambda: browser.run("document.elementFromPoint(340, 400).click()")):
            menu.click()
            browser.until(shown)
            self.assertEqual(menu.get_attribute("aria-expanded"), "true")
            close()
            browser.until(f"!{shown}")
            self.assertEqual(menu.get_attribute("aria-expanded"), "false")
        self.assertTrue(browser.run("return document.querySelector('.viewer').hidden"))
        menu.click()
        browser.until(shown)
        self.no_findings("narrow albums")


class StillTest(PageTest):
    window = {"features": [("prefers-reduced-motion", "reduce"), ("prefers-color-scheme", "light")]}

    def test_nothing_moves_by_itself(self):
        browser = self.browser
        ActionChains(browser.driver).move_to_element(browser.tile("IMG_0001")).perform()
        browser.until_timers(1000)
        self.assertEqual(browser.all("video"), [])
        self.no_findings("light grid")
        browser.view("IMG_0001")
        self.no_findings("light viewer")


@unittest.skipUnless(SAMPLES, "LIVEEDIT_SAMPLES does not name a folder of samples")
class SampleTest(PageTest):
    files = [os.path.join(SAMPLES or "", name + end) for name, ends in (
        ("iphone-6s-jpeg/IMG_0728", (".JPG", ".MOV")), ("iphone-7plus-jpeg/IMG_2016", (".JPG", ".MOV")),
        ("iphone-15pro-heic/IMG_3582", (".HEIC", ".MOV")), ("iphone-15plus-heic/IMG_3853", (".HEIC", ".MOV"))) for end in ends]

    def test_real_photos_show_and_play(self):
        browser = self.browser
        for name in ("IMG_0728", "IMG_2016", "IMG_3582", "IMG_3853"):
            browser.view(name)
            browser.press(" ")
            browser.until("document.querySelector('.viewer video.movie')?.currentTime > 0.1")
            size = browser.run("const video = document.querySelector('.viewer video'); return Math.min(video.videoWidth, video.videoHeight)")
            self.assertLessEqual(size, 720)
            shape = browser.run("const video = document.querySelector('.viewer video'); const img = document.querySelector('.viewer .sharp'); "
                                "return [video.videoWidth > video.videoHeight, img.naturalWidth > img.naturalHeight]")
            self.assertEqual(shape[0], shape[1], name)
            browser.press(Keys.ESCAPE)
            browser.until("document.querySelector('.viewer').hidden")


def colourful(photo):
    """True if a JPEG has colours, judged by its greatest chroma value according to ffmpeg."""
    log = subprocess.run(["ffmpeg", "-v", "error", "-i", photo, "-vf", "signalstats,metadata=print:key=lavfi.signalstats.SATMAX:file=-", "-f", "null", "-"],
                         capture_output=True, text=True).stdout
    values = [float(line.split("=")[1]) for line in log.splitlines() if "SATMAX=" in line]
    return not values or max(values) > 12


if __name__ == "__main__":
    unittest.main(verbosity=2)
