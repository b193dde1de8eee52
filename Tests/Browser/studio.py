"""A studio on a folder of its own, and a browser that looks at it: what the tests of the page stand on."""
import glob, json, os, shutil, signal, subprocess, tempfile, time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("LIVEEDIT_PROGRAMS") or os.path.join(PROJECT, ".build", "debug")


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
        self.ports = []
        self.start()

    def start(self, *options):
        environment = os.environ | {"XDG_CACHE_HOME": self.folder + "/cache", "XDG_STATE_HOME": self.folder + "/state", "XDG_CONFIG_HOME": self.folder + "/config", "XDG_RUNTIME_DIR": self.folder + "/run"}
        self.process = subprocess.Popen(
            [os.path.join(PROGRAMS, "liveedit"), "studio", "--no-open", *self.options, *options, self.photos], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address + self.process.stderr.read()
        self.ports.append(int(self.address.split(":")[2].split("/")[0]))


    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(20)

    def end(self):
        if self.process.poll() is None:
            self.kill(signal.SIGTERM)
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def files(self):
        return sorted(name for name in os.listdir(self.photos) if not name.startswith("."))


class Browser:
    """Chromium without a window."""

    def __init__(self, width=1280, height=800, features=()):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--disable-background-networking", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.downloads = tempfile.mkdtemp(prefix="downloads-")
        self.driver = webdriver.Chrome(options=options)
        self.driver.set_script_timeout(60)
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        if features:
            self.command("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features])
        self.messages, self.requests = [], []

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, address):
        self.driver.get(address)
        self.until("document.activeElement.matches('.tile')")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition, seconds=40):
        """Waits until a condition in the page holds, and gives its value."""
        end = time.time() + seconds
        while time.time() < end:
            value = self.run(f"return {condition}")
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited in vain until {condition}; the page says: " + self.run(
            "return [...document.querySelectorAll('dialog[open]'), document.body].map((one) => one.innerText.slice(0, 800)).join('\\n—\\n')"))

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        """Keys for whatever has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def act(self, name):
        """Presses the button of that name that can be seen."""
        self.until("[...document.querySelectorAll('button')].find(button => button.checkVisibility() && !button.closest('[inert]') && "
                   f"[button.getAttribute('aria-label'), button.title, button.innerText.trim()].includes({json.dumps(name)}))").click()

    def tile(self, name):
        """The element of an asset in the grid."""
        return self.until(f"[...document.querySelectorAll('.tile')].find(tile => tile.getAttribute('aria-label')?.split(', ').includes('{name}'))")

    def view(self, name):
        """Opens an asset, and waits for its picture."""
        self.tile(name).click()
        self.until("document.querySelector('.viewer:not([hidden]) .picture .sharp.loaded') && !document.querySelector('.viewer .picture[aria-busy]')")

    def collect(self):
        """Takes over what the browser logged: messages of the page, and addresses that it asked for."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        self.messages += [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def findings(self):
        """What axe-core finds wrong with the page as it is."""
        self.command("Runtime.evaluate", expression=axe())
        return self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(result => "
            "done(result.violations.map(rule => rule.id + ': ' + rule.nodes[0].html)))")

    def end(self):
        self.driver.quit()
        shutil.rmtree(self.downloads, ignore_errors=True)


def axe():
    """The script of axe-core, of a Python package that carries it."""
    folder = os.environ.get("LIVEEDIT_AXE") or os.path.join(PROJECT, ".build", "axe")
    with open(next(glob.iglob(folder + "/**/axe.min.js", recursive=True))) as file:
        return file.read()


def fixtures(*stems):
    """Both halves of fixtures, without what an edit left beside them."""
    files = [file for stem in stems for file in glob.glob(os.path.join(PROJECT, "Fixtures", stem + ".*")) if not file.endswith(".AAE")]
    assert len(files) >= len(stems)
    return files


def displayed(file):
    """Width and height of a file as displayed, by exiftool."""
    fields = json.loads(subprocess.run(["exiftool", "-j", "-n", "-ImageWidth", "-ImageHeight", "-Orientation", "-Rotation", file],
                                       capture_output=True, check=True).stdout)[0]
    size = (fields["ImageWidth"], fields["ImageHeight"])
    return size[::-1] if fields.get("Orientation", 1) in (5, 6, 7, 8) or fields.get("Rotation", 0) in (90, 270) else size
