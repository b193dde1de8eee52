"""Runs browser tests in one process, so that they share one Chromium.

  run.py              the tests of the main paths, without axe-core
  run.py --all        all tests
  run.py TEST …       modules, classes or tests, such as page_test.ViewerTest
"""
import glob, os, signal, sys, unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Loader(unittest.TestLoader):
    """Loads only tests that are marked with main_path."""

    def getTestCaseNames(self, case):
        return [name for name in super().getTestCaseNames(case) if hasattr(getattr(case, name), "is_main_path")]


# A terminated process ends its studios and its browser.
signal.signal(signal.SIGTERM, signal.default_int_handler)
names = sys.argv[1:]
modules = [os.path.basename(path)[:-3] for path in sorted(glob.glob(FOLDER + "/*_test.py"))]
if not names:
    os.environ["LIVEEDIT_AXE"] = ""
loader = unittest.TestLoader() if names else Loader()
suite = loader.loadTestsFromNames(modules if names in ([], ["--all"]) else names)
sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
