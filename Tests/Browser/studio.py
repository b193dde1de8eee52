"""A studio with its own folder, and the browser, for tests of the page."""
import atexit, glob, http.client, json, os, shutil, signal, subprocess, tempfile, time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chromium.remote_connection import ChromiumRemoteConnection
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(PROJECT, ".build")
# The folder of axe-core; empty if tests must run without it.
AXE = os.environ.get("LIVEEDIT_AXE", os.path.join(BUILD, "axe"))
PROGRAMS = os.environ.get("LIVEEDIT_PROGRAMS") or next(
    (folder for folder in (os.path.join(BUILD, "release"), os.path.join(BUILD, "debug")) if os.path.exists(os.path.join(folder, "liveedit"))), BUILD)
# How long a test waits for a state, in seconds: long, because speed is not tested.
PATIENCE = 300


def main_path(test):
    """Marks a test that `scripts/browser-test` runs without `--all`."""
    test.is_main_path = True
    return test


class Studio:
    """The program, started on a copy of some files."""

    def __init__(self, files, *options, config=""):
        self.folder = tempfile.mkdtemp(prefix="studio-")
        self.photos = os.path.join(self.folder, "Photos")
        os.mkdir(self.photos)
        os.mkdir(self.folder + "/run", 0o700)
        os.makedirs(self.folder + "/config/liveedit")
        with open(self.folder + "/config/liveedit/config", "w") as file:
            file.write(config)
        for file in files:
            shutil.copyfile(file, os.path.join(self.photos, os.path.basename(file)))
        self.options = options
        self.environment = os.environ | {"HOME": self.folder, "XDG_CACHE_HOME": self.folder + "/cache", "XDG_STATE_HOME": self.folder + "/state",
                                         "XDG_CONFIG_HOME": self.folder + "/config", "XDG_RUNTIME_DIR": self.folder + "/run"}
        self.ports = []
        self.start()
        # An interrupted test does not clean up.
        atexit.register(self.end)

    def start(self, *options):
        self.process = subprocess.Popen(
            [os.path.join(PROGRAMS, "liveedit"), "studio", "--no-open", *self.options, *options, self.photos], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address + self.process.stderr.read()
        self.ports.append(int(self.address.split(":")[2].split("/")[0]))

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()

    def end(self):
        if self.process.returncode is None:
            self.kill(signal.SIGTERM)
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.end)

    def files(self):
        return sorted(name for name in os.listdir(self.photos) if not name.startswith("."))

    def liveedit(self, *words):
        """Runs a liveedit command in the folder of photos, and returns its output."""
        return subprocess.run([os.path.join(PROGRAMS, "liveedit"), *words], cwd=self.photos, env=self.environment, check=True, capture_output=True, text=True).stdout

    def copy(self, stem, *names):
        """Copies a Live Photo of the fixtures into the folder of photos, under other names."""
        for file in fixtures(stem):
            for name in names:
                shutil.copyfile(file, os.path.join(self.photos, os.path.basename(file).replace(stem, name)))

    def request(self, route):
        """The response to a GET request by a client other than the browser."""
        place, token = self.address.split("?token=")
        _, _, host, path = place.split("/", 3)
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        connection.request("GET", f"/{path}{route}", headers={"Authorization": f"Bearer {token}"})
        return connection.getresponse()

    def ask(self, route):
        """The JSON of a response."""
        with self.request(route) as response:
            return json.load(response)

    def changes(self):
        """Subscribes to the server's events, and returns a function that waits for the next change in the folder."""
        stream = self.request("api/1/events")

        def wait(name="change"):
            end = time.monotonic() + PATIENCE
            while stream.readline() != f"event: {name}\n".encode():
                assert time.monotonic() < end, f"no event “{name}”"
        wait("hello")
        return wait


# Evaluates a condition until it is true or the time is up. A condition that throws counts as false: an element may not exist yet.
LOOK = """const [milliseconds, done] = arguments, end = performance.now() + milliseconds;
    const look = () => {
      let value, failure = null;
      try { value = (CONDITION); } catch (error) { failure = String(error); }
      if (value || performance.now() > end) done([Boolean(value), value, failure]);
      else setTimeout(look, 20);
    };
    look();"""


class Browser:
    """A tab of Chromium. All tests in a process share one headless Chromium, and each test has its own tab. Tests that depend on a GPU share
    a second Chromium."""

    shared = {}

    def __init__(self, width=1280, height=800, features=(), composes_on_gpu=False):
        if composes_on_gpu not in Browser.shared:
            Browser.shared[composes_on_gpu] = Chromium(composes_on_gpu)
            atexit.register(Browser.shared[composes_on_gpu].end)
        self.chromium = Browser.shared[composes_on_gpu]
        self.driver = self.chromium.driver
        self.driver.switch_to.new_window("tab")
        # Discards the log entries of earlier tabs.
        for kind in ("performance", "browser"):
            self.driver.get_log(kind)
        self.messages, self.requests = [], []
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.downloads = tempfile.mkdtemp(prefix="downloads-")
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        if features:
            self.command("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features])

    @property
    def windows(self):
        """The tab, and all other windows that the test opened, in the order in which they were opened."""
        return [window for window in self.driver.window_handles if window != self.chromium.first]

    def command(self, name, **parameters):
        return self.driver.execute("executeCdpCommand", {"cmd": name, "params": parameters})["value"]

    def open(self, address):
        self.driver.get(address)
        self.until("document.activeElement.matches('.tile')")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition):
        """Waits until a condition in the page is true, and returns its value."""
        end = time.monotonic() + PATIENCE
        script = LOOK.replace("CONDITION", condition)
        while True:
            try:
                holds, value, failure = self.driver.execute_async_script(script, min(10_000, max(0, 1000 * (end - time.monotonic()))))
            except JavascriptException as error:
                # The tab has loaded another page.
                if "unload" not in error.msg and "navigation" not in error.msg:
                    raise
                holds, failure = False, error.msg
            if holds:
                return value
            if time.monotonic() > end:
                break
        raise AssertionError(f"timed out waiting until {condition}; {failure or 'it is false'}; the page shows: " + self.run(
            "return [...document.querySelectorAll('dialog[open]'), document.body].map((one) => one.innerText.slice(0, 800)).join('\\n—\\n')"))

    def until_timers(self, milliseconds):
        """Waits until all of the page's timers due within the next MILLISECONDS have fired: timers fire in the order of their times."""
        self.driver.execute_async_script("const [milliseconds, done] = arguments; setTimeout(() => requestAnimationFrame(() => setTimeout(done)), milliseconds)", milliseconds)

    def find(self, selector):
        """The first element that matches a selector, as soon as it exists."""
        return self.until(f"document.querySelector({json.dumps(selector)})")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        """Presses keys on the focused element. Control and Shift in a string are held while its other keys are pressed."""
        for key in keys:
            held = [one for one in key if one in (Keys.CONTROL, Keys.SHIFT)]
            chain = ActionChains(self.driver, duration=0)
            for one in held:
                chain.key_down(one)
            chain.send_keys(*[one for one in key if one not in held])
            for one in held:
                chain.key_up(one)
            chain.perform()

    def click(self, condition):
        """Clicks the element that a condition returns, as soon as it exists. If the page replaces the element first, clicks its replacement."""
        while True:
            element = self.until(condition)
            try:
                element.click()
                return
            except StaleElementReferenceException:
                continue

    def act(self, name):
        """Presses the visible button of that name."""
        self.click("[...document.querySelectorAll('button')].find(button => button.checkVisibility() && !button.closest('[inert]') && "
                   f"[button.getAttribute('aria-label'), button.title, button.innerText.trim()].includes({json.dumps(name)}))")

    def double_click(self, element):
        """Double-clicks the middle of an element, however much time passes between the clicks on a busy machine."""
        x, y = self.run("arguments[0].scrollIntoView({block: 'nearest'}); const { left, top, width, height } = arguments[0].getBoundingClientRect();"
                        "return [left + width / 2, top + height / 2]", element)
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    @staticmethod
    def tile_of(name):
        """The condition that returns the element of an asset in the grid."""
        return f"[...document.querySelectorAll('.tile')].find(tile => tile.getAttribute('aria-label')?.split(', ').includes('{name}'))"

    def tile(self, name):
        """The element of an asset in the grid."""
        return self.until(self.tile_of(name))

    def view(self, name):
        """Opens an asset, and waits for its picture."""
        self.click(self.tile_of(name))
        self.until("document.querySelector('.viewer:not([hidden]) .picture .sharp.loaded') && !document.querySelector('.viewer .picture[aria-busy]')")

    def collect(self):
        """Takes the browser's log entries: messages of the page, and addresses that it requested."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        self.messages += [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def findings(self):
        """The problems that axe-core finds in the current page."""
        self.command("Runtime.evaluate", expression=axe())
        return self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(result => "
            "done(result.violations.map(rule => rule.id + ': ' + rule.nodes[0].html)))")

    def end(self):
        """Closes the tab, and all other windows that the test opened."""
        for window in self.windows:
            self.driver.switch_to.window(window)
            self.driver.close()
        self.driver.switch_to.window(self.chromium.first)
        shutil.rmtree(self.downloads, ignore_errors=True)


class Chromium:
    """Chromium and its driver, with a separate home folder, on a port that the system chose.

    WebGL always uses SwiftShader, a software GPU. Compositing the page is faster on the CPU. Measurements of speed composite on SwiftShader,
    and so do comparisons of video frames: without a GPU, Chromium converts the colours of video with less precision."""

    def __init__(self, composes_on_gpu):
        self.home = tempfile.mkdtemp(prefix="chromium-")
        self.process = subprocess.Popen(["chromedriver", "--port=0"], env=os.environ | {"HOME": self.home, "TMPDIR": self.home},
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # The line ends with the port number.
        said = next(line for line in self.process.stdout if "successfully on port" in line)
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--disable-background-networking", "--window-size=1280,800",
                         *([] if composes_on_gpu else ["--disable-gpu-compositing"])):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("goog:perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        address = "http://127.0.0.1:" + said.rstrip(".\n").split(" ")[-1]
        self.driver = webdriver.Remote(ChromiumRemoteConnection(address, "goog", "chrome"), options=options)
        self.driver.set_script_timeout(180)
        self.first = self.driver.current_window_handle

    def end(self):
        try:
            self.driver.quit()
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()
            shutil.rmtree(self.home, ignore_errors=True)


def axe():
    """The axe-core script from a Python package that contains it."""
    with open(next(glob.iglob(AXE + "/**/axe.min.js", recursive=True))) as file:
        return file.read()


def fixtures(*stems):
    """Both halves of fixtures, without the files that an edit left beside them."""
    files = [file for stem in stems for file in glob.glob(os.path.join(PROJECT, "Fixtures", stem + ".*")) if not file.endswith(".AAE")]
    assert len(files) >= len(stems)
    return files


def displayed(file):
    """The displayed width and height of a file, according to exiftool."""
    fields = json.loads(subprocess.run(["exiftool", "-j", "-n", "-ImageWidth", "-ImageHeight", "-Orientation", "-Rotation", file],
                                       capture_output=True, check=True).stdout)[0]
    size = (fields["ImageWidth"], fields["ImageHeight"])
    return size[::-1] if fields.get("Orientation", 1) in (5, 6, 7, 8) or fields.get("Rotation", 0) in (90, 270) else size
