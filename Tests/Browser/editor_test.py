"""Tests the editor as people use it: each group by mouse, touch and keys, undo, saving, leaving, pasting, conflicts, and a server that dies."""
import json, os, subprocess, time, unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page_test import PageTest
from studio import PATIENCE, PROJECT, fixtures, main_path


class EditorTest(PageTest):
    """A studio with the editor open for one asset."""

    name = "IMG_0003"

    def edit(self, name=None):
        browser = self.browser
        browser.view(name or self.name)
        browser.press("e")
        self.drawn()

    def drawn(self):
        """Waits until the current edit is drawn, and returns the number of drawings."""
        return self.browser.until("document.querySelector('.editor:not([hidden]):not([aria-busy])')?.dataset.drawn")

    def group(self, name, page=None):
        self.browser.find(f".group[data-group={name}]").click()
        if page:
            self.browser.act(page)

    def slider(self, name):
        return self.browser.find(f".way[aria-label='{name}']")

    def value(self, name):
        return float(self.slider(name).get_attribute("value"))

    def draft(self):
        """The unsaved edit, or an empty one if everything is saved."""
        text = self.browser.run("return Object.entries(sessionStorage).filter(([key]) => key.startsWith('liveedit.draft.')).map(([, value]) => value)[0] ?? null")
        return json.loads(text)["value"] if text else None

    def until_draft(self, condition):
        end = time.monotonic() + PATIENCE
        while True:
            draft = self.draft() or {}
            if condition(draft):
                return draft
            self.assertLess(time.monotonic(), end, draft)
            time.sleep(0.05)

    def saved(self, name=None):
        """Saves, and returns the edit of the new version."""
        self.browser.find("button.save").click()
        self.browser.until("document.querySelector('button.save').disabled && document.querySelector('button.save').textContent == 'Save'")
        return self.history(name)["versions"][-1]["edit"]

    def history(self, name=None):
        return json.loads(self.studio.liveedit("history", "--json", (name or self.name) + ".JPG").splitlines()[0])

    def versions(self, count, name=None):
        """The asset's versions, as soon as there are COUNT of them."""
        end = time.monotonic() + PATIENCE
        while True:
            versions = self.history(name)["versions"]
            if len(versions) >= count:
                return versions
            self.assertLess(time.monotonic(), end, versions)
            time.sleep(0.1)

    def shown(self):
        """The colour in the middle of the picture, as seen in a screenshot."""
        box = self.browser.find(".editor .frame").rect
        png = self.browser.driver.get_screenshot_as_png()
        place = f"{int(box['width'] * 0.1)}x{int(box['height'] * 0.1)}+{int(box['x'] + box['width'] * 0.45)}+{int(box['y'] + box['height'] * 0.45)}"
        said = subprocess.run(["convert", "png:-", "-crop", place, "+repage", "-resize", "1x1!", "-format", "%[fx:int(255*r)] %[fx:int(255*g)] %[fx:int(255*b)]", "info:-"], input=png, capture_output=True)
        return [int(number) for number in said.stdout.split()]


class SlidersTest(EditorTest):
    def test_sliders_by_keys_mouse_and_typing(self):
        browser = self.browser
        self.edit()
        self.no_findings("light")
        exposure = self.slider("Exposure")
        exposure.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.value("Exposure"), 0.01)
        exposure.send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertEqual(self.value("Exposure"), 0.11)
        exposure.send_keys(Keys.HOME)
        self.assertEqual(self.value("Exposure"), 0)
        self.assertIsNone(self.draft())
        # With the mouse: a drag is one undo step.
        width = exposure.size["width"]
        ActionChains(browser.driver).move_to_element(exposure).click_and_hold().move_by_offset(int(width / 8), 0).move_by_offset(int(width / 8), 0).release().perform()
        moved = self.value("Exposure")
        self.assertGreater(moved, 1)
        ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        self.assertEqual(self.value("Exposure"), 0)
        ActionChains(browser.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("z").key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        self.assertEqual(self.value("Exposure"), moved)
        # A double click resets the value, typing sets it.
        browser.double_click(browser.find(".slider .name"))
        self.assertEqual(self.value("Exposure"), 0)
        number = browser.find("input.number[aria-label='Exposure, value']")
        number.send_keys(Keys.CONTROL + "a")
        number.send_keys("1.5", Keys.ENTER)
        self.assertEqual(self.draft(), {"light": {"exposure": 1.5}})
        self.assertIn("set", browser.find(".group[data-group=light]").get_attribute("class"))
        # A value outside the range is moved to its nearest end.
        number.send_keys(Keys.CONTROL + "a")
        number.send_keys("99", Keys.ENTER)
        self.assertEqual(self.draft(), {"light": {"exposure": 4}})

    def test_groups_undo_and_save(self):
        browser = self.browser
        self.edit()
        for group, page, name, keys in [("light", None, "Contrast", 10), ("light", "Levels", "Input black", 5), ("color", None, "Saturation", 10), ("color", "Ranges", "Red hue", 10),
                                        ("color", "Grading", "Shadow hue", 3), ("color", "Black & white", "Monochrome", 4), ("detail", None, "Sharpness", 10),
                                        ("effects", None, "Vignette", 10), ("crop", None, "Vertical perspective", 10)]:
            self.group(group, page)
            slider = self.slider(name)
            before = self.value(name)
            slider.send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
            self.assertNotEqual(self.value(name), before, name)
            self.no_findings(f"{group} {page or ''}")
        draft = self.draft()
        self.assertEqual(set(draft), {"light", "color", "blackAndWhite", "detail", "effects", "geometry"})
        # Back through all groups, and forward again.
        for _ in range(9):
            browser.find(".editor [aria-label='Undo']").click()
        self.assertIsNone(self.draft())
        for _ in range(9):
            browser.find(".editor [aria-label='Redo']").click()
        self.assertEqual(self.draft(), draft)
        # The engine provides the effects that the shader does not support.
        self.group("detail")
        browser.until("document.querySelector('.editor .coming').hidden && document.querySelector('img.engine')?.naturalWidth")
        self.assertEqual(self.saved(), draft)
        self.wait_for("IMG_E0003.JPG", "IMG_E0003.MOV")
        self.assertIsNone(self.draft())
        # Editing continues from there: undo leads to another edit, which becomes a separate version.
        browser.find(".editor [aria-label='Undo']").click()
        self.assertNotIn("geometry", self.saved())
        self.assertEqual(len(self.history()["versions"]), 2)

    def test_before_is_shown_while_b_is_held(self):
        browser = self.browser
        self.edit()
        unedited = self.shown()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 20)
        browser.run("document.querySelector('.editor').focus()")
        # Each key is drawn in a separate frame.
        end, edited = time.monotonic() + PATIENCE, None
        while edited != (now := self.shown()) or sum(now) < sum(unedited) + 60:
            self.assertLess(time.monotonic(), end, f"the edit is not visible: {now} after {unedited}")
            edited = now
        drawn = int(self.drawn())
        ActionChains(browser.driver).key_down("b").perform()
        browser.until(f"document.querySelector('.editor.before') && Number(document.querySelector('.editor').dataset.drawn) > {drawn}")
        before = self.shown()
        ActionChains(browser.driver).key_up("b").perform()
        browser.until("!document.querySelector('.editor.before')")
        # The edit is drawn with the next frame; the full-size picture may have replaced it by then.
        end = time.monotonic() + PATIENCE
        while max(abs(one - other) for one, other in zip(self.shown(), edited)) >= 3:
            self.assertLess(time.monotonic(), end, f"the edit does not reappear: {self.shown()} after {edited}")
            time.sleep(0.05)
        self.assertLess(sum(before), sum(edited) - 60)
        # Divided by a line that keys move.
        browser.act("Before and after (hold B for the original)")
        browser.until("document.querySelector('.editor .compare:not([hidden]) img').naturalWidth")
        line = browser.find(".editor .divider")
        line.send_keys(Keys.HOME)
        self.assertEqual(line.get_attribute("aria-valuenow"), "0")
        self.no_findings("before and after")


class ToolsTest(EditorTest):
    def test_crop_by_mouse_and_keys(self):
        browser = self.browser
        self.edit()
        self.group("crop")
        browser.until("!document.querySelector('.cropOverlay').hidden")
        self.no_findings("crop")
        corner = browser.find(".corner.se")
        ActionChains(browser.driver).move_to_element(corner).click_and_hold().move_by_offset(-120, -90).perform()
        browser.until("getComputedStyle(document.querySelector('.thirds')).opacity == '1'")
        ActionChains(browser.driver).release().perform()
        left, top, width, height = self.draft()["geometry"]["crop"]["rectangle"]
        overlay = browser.find(".cropOverlay").size
        self.assertEqual((left, top), (0, 0))
        self.assertAlmostEqual(width, 1 - 120 / overlay["width"], delta=0.01)
        self.assertAlmostEqual(height, 1 - 90 / overlay["height"], delta=0.01)
        # Keys move the frame, and also a single side.
        browser.find(".cropFrame").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        moved = self.draft()["geometry"]["crop"]["rectangle"]
        self.assertAlmostEqual(moved[0], 0.01, delta=1e-5)
        self.assertAlmostEqual(moved[1], 0.02, delta=1e-5)
        browser.find(".corner.w").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.draft()["geometry"]["crop"]["rectangle"][0], 0.06, delta=1e-5)
        # Dragging a corner keeps the shape.
        browser.act("1:1")
        shape = browser.run("const { width, height } = document.querySelector('.cropOverlay').getBoundingClientRect(); return width / height")
        for side in (".corner.nw", ".corner.s"):
            browser.find(side).send_keys(Keys.SHIFT + (Keys.ARROW_RIGHT if side.endswith("nw") else Keys.ARROW_UP))
            rectangle = self.draft()["geometry"]["crop"]["rectangle"]
            self.assertAlmostEqual(rectangle[2] * shape / rectangle[3], 1, delta=0.01)
        browser.act("Rotate right")
        self.assertEqual(self.draft()["orientation"], 6)
        turned = self.draft()["geometry"]["crop"]["rectangle"]
        self.assertAlmostEqual(turned[0], 1 - rectangle[1] - rectangle[3], delta=1e-5)
        self.assertEqual(self.saved()["geometry"]["crop"]["rectangle"], turned)
        size = subprocess.run(["identify", "-format", "%w %h", os.path.join(self.studio.photos, "IMG_E0003.JPG")], capture_output=True, text=True).stdout.split()
        self.assertAlmostEqual(int(size[0]) / int(size[1]), 1, delta=0.02)

    def test_curve_by_mouse_and_keys(self):
        browser = self.browser
        self.edit()
        self.group("light", "Curve")
        self.no_findings("curve")
        field = browser.find(".curve")
        side = field.size["width"]
        ActionChains(browser.driver).move_to_element(field).click_and_hold().move_by_offset(0, -int(side / 5)).release().perform()
        points = self.draft()["curve"]
        self.assertEqual(len(points), 3)
        self.assertAlmostEqual(points[1][0], 0.5, delta=0.02)
        self.assertAlmostEqual(points[1][1], 0.7, delta=0.02)
        point = browser.all(".point")[1]
        point.send_keys(Keys.ARROW_DOWN)
        self.assertAlmostEqual(self.draft()["curve"][1][1], points[1][1] - 0.01, delta=1e-6)
        point.send_keys(Keys.INSERT)
        self.assertEqual(len(self.draft()["curve"]), 4)
        browser.driver.switch_to.active_element.send_keys(Keys.DELETE)
        self.assertEqual(len(self.draft()["curve"]), 3)
        browser.act("Red")
        browser.all(".point")[1].send_keys(Keys.SHIFT + Keys.ARROW_DOWN)
        draft = self.draft()
        self.assertEqual(list(draft["channelCurves"]), ["red"])
        saved = self.saved()
        self.assertEqual(saved["curve"], draft["curve"])
        self.assertEqual(saved["channelCurves"], draft["channelCurves"])

    def test_picker_auto_presets_and_looks(self):
        browser = self.browser
        self.edit()
        self.group("color")
        browser.act("Pick a grey point")
        # A position in the red of the row of colours: it becomes grey, so the picture becomes cooler.
        canvas = browser.find("canvas.picture")
        box = canvas.rect
        ActionChains(browser.driver).move_to_element_with_offset(canvas, int(-0.22 * box["width"]), int(0.02 * box["height"])).click().perform()
        draft = self.until_draft(lambda draft: "color" in draft)
        self.assertTrue({"temperature", "tint"} & set(draft["color"]), draft)
        browser.act("Auto colour")
        self.group("light")
        # The values that auto finds replace the values that were set.
        self.slider("Shadows").send_keys(Keys.ARROW_RIGHT)
        self.until_draft(lambda draft: "shadows" in draft.get("light", {}))
        browser.act("Auto light")
        self.until_draft(lambda draft: draft.get("light", {}).get("shadows") != 0.01)
        self.group("presets")
        self.no_findings("presets")
        browser.until("[...document.querySelectorAll('.controls .preset img')].filter(image => image.naturalWidth).length > 3")
        browser.run("[...document.querySelectorAll('.controls .preset')].find(button => button.innerText.trim() == 'vivid').click()")
        vivid = self.until_draft(lambda draft: draft.get("color", {}).get("temperature") is None and "color" in draft)
        with open(os.path.join(PROJECT, "Presets", "vivid.json")) as file:
            preset = json.load(file)["edit"]
        self.assertEqual({part: vivid[part] for part in preset}, preset)
        browser.act("Looks")
        browser.run("document.querySelector('[data-look=noir]').click()")
        self.until_draft(lambda draft: draft.get("look") == {"name": "noir"})
        self.slider("Intensity").send_keys(Keys.SHIFT + Keys.ARROW_LEFT * 5)
        self.assertEqual(self.draft()["look"], {"name": "noir", "intensity": 0.5})
        # The user's own preset.
        browser.act("Basic")
        browser.act("Save as preset")
        browser.find("dialog input").send_keys("My light", Keys.ENTER)
        browser.until("[...document.querySelectorAll('.controls .preset')].some(button => button.innerText.trim() == 'My light')")
        self.assertEqual(self.saved()["look"], {"name": "noir", "intensity": 0.5})

    def test_trim_key_photo_effect_and_live(self):
        browser = self.browser
        self.edit()
        self.group("motion")
        self.no_findings("motion")
        length = float(browser.find(".film .end").get_attribute("aria-valuemax"))
        start = browser.find(".film .start")
        film = browser.find(".film").size["width"]
        ActionChains(browser.driver).move_to_element(start).click_and_hold().move_by_offset(int(film / 4), 0).release().perform()
        first, last = self.draft()["motion"]["trim"]
        self.assertAlmostEqual(first, length / 4, delta=0.06)
        self.assertAlmostEqual(last, length, delta=0.001)
        start.send_keys(Keys.ARROW_RIGHT)
        self.assertGreater(self.draft()["motion"]["trim"][0], first)
        browser.find(".film .end").send_keys(Keys.SHIFT + Keys.ARROW_LEFT)
        self.assertLess(self.draft()["motion"]["trim"][1], last)
        browser.find(".film .key").send_keys(Keys.ARROW_LEFT)
        draft = self.draft()["motion"]
        self.assertTrue(draft["trim"][0] <= draft["keyPhoto"] < draft["trim"][1], draft)
        saved = self.saved()["motion"]
        self.assertEqual(saved["trim"], draft["trim"])
        self.assertAlmostEqual(saved["keyPhoto"], draft["keyPhoto"], delta=0.0005)
        seconds = float(subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=duration", "-of", "csv=p=0", os.path.join(self.studio.photos, "IMG_E0003.MOV")], capture_output=True, text=True).stdout)
        self.assertAlmostEqual(seconds, draft["trim"][1] - draft["trim"][0], delta=0.05)
        # The movie plays with the edit.
        self.group("light")
        browser.find(".editor [aria-label=Play]").click()
        browser.until("document.querySelector('.editor [aria-label=Pause]')")
        drawn = int(self.drawn())
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 10)
        browser.until(f"Number(document.querySelector('.editor').dataset.drawn) > {drawn}")
        browser.find(".editor [aria-label=Pause]").click()
        self.group("motion")
        browser.find(".controls select").send_keys("Bounce")
        self.assertEqual(self.draft()["motion"]["effect"], "bounce")
        browser.act("Keep all")
        browser.act("Original photo")
        self.assertEqual(self.draft()["motion"], {"effect": "bounce"})
        browser.find(".controls input[type=checkbox]").click()
        self.assertEqual(self.draft()["motion"], {"effect": "bounce", "live": False})


class LeavingTest(EditorTest):
    @main_path
    def test_what_is_not_saved_is_asked_about_and_kept(self):
        browser = self.browser
        self.edit()
        browser.find(".editor").send_keys(Keys.ESCAPE)
        browser.until("document.querySelector('.editor').hidden")
        browser.press("e")
        self.drawn()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        browser.find("[aria-label='Back to the photo']").click()
        browser.until("document.querySelector('dialog[open]')")
        self.no_findings("leaving")
        browser.act("Stay")
        self.assertEqual(self.value("Exposure"), 0.3)
        # The browser's own back button asks, too.
        browser.driver.back()
        browser.until("document.querySelector('dialog[open]')")
        browser.act("Stay")
        self.assertEqual(self.value("Exposure"), 0.3)
        # A page that is closed leaves its draft behind.
        browser.run("window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")
        browser.driver.refresh()
        browser.until("!document.querySelector('.editor')?.hidden && document.querySelector('.notice')?.innerText.includes('was restored')")
        self.drawn()
        self.assertEqual(self.value("Exposure"), 0.3)
        browser.find("[aria-label='Back to the photo']").click()
        browser.act("Leave without saving")
        browser.until("document.querySelector('.editor').hidden")
        self.assertIsNone(self.draft())
        self.assertNotIn("IMG_E0003.JPG", self.studio.files())
        browser.press("e")
        self.drawn()
        self.assertEqual(self.value("Exposure"), 0)
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        browser.find("[aria-label='Back to the photo']").click()
        browser.act("Save and leave")
        self.wait_for("IMG_E0003.JPG", "IMG_E0003.MOV")

    def test_what_was_opened_last_is_edited(self):
        browser = self.browser
        browser.run("""
            const real = window.fetch;
            window.held = [];
            window.fetch = async (...request) => {
              const answer = await real(...request);
              if (!String(request[0]).endsWith('/edit')) return answer;
              const whole = new Response(await answer.arrayBuffer(), answer);
              return new Promise((done) => held.push(() => done(whole)));
            }""")
        browser.view("IMG_0001")
        browser.press("e")
        browser.until("held.length == 1 && document.querySelector('.editor[aria-busy]')")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.editor').hidden")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.viewer').hidden")
        browser.view("IMG_0003")
        browser.press("e")
        browser.until("held.length == 2")
        # The first answer arrives: the second is still on its way, and nothing can be moved until it arrives.
        browser.run("held[0]()")
        browser.until_timers(100)
        self.assertTrue(browser.run("return document.querySelector('.editor').matches('[aria-busy]') && document.querySelector('#editControls').closest('[inert]') != null"))
        browser.run("held[1]()")
        self.drawn()
        self.assertTrue(browser.run("return !document.querySelector('#editControls').closest('[inert]')"))
        self.slider("Exposure").send_keys(Keys.ARROW_RIGHT)
        self.assertIn("IMG_0003", browser.run("return document.querySelector('.editor').innerText"))
        self.assertEqual(self.draft(), {"light": {"exposure": 0.01}})

    def test_the_server_dies_while_editing(self):
        browser = self.browser
        self.edit()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.studio.kill()
        browser.until("!document.querySelector('.banner').hidden")
        browser.find("button.save").click()
        browser.until("document.querySelector('.notice').innerText.includes('kept in this tab')")
        # Save and leave does not leave while saving is impossible.
        browser.find("[aria-label='Back to the photo']").click()
        browser.act("Save and leave")
        browser.until("document.querySelector('.notice').innerText.includes('kept in this tab')")
        self.assertFalse(browser.run("return document.querySelector('.editor').hidden"))
        self.assertEqual(self.draft(), {"light": {"exposure": 0.3}})
        self.studio.start()
        # The edit is saved as soon as the server is back.
        self.assertEqual(self.versions(1)[-1]["edit"], {"light": {"exposure": 0.3}})
        browser.until("document.querySelector('.banner').hidden")

    def test_another_window_changes_it(self):
        browser = self.browser
        self.edit()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.studio.liveedit("rotate", "--degrees", "90", "IMG_0003.JPG")
        browser.until("document.querySelector('.notice').innerText.includes('changed elsewhere')")
        self.no_findings("conflict")
        browser.act("Save my edit as a new version")
        browser.until("document.querySelector('button.save').textContent == 'Save' && document.querySelector('button.save').disabled")
        first, second = self.history()["versions"]
        self.assertEqual((first["edit"], second["edit"]), ({"orientation": 6}, {"light": {"exposure": 0.3}}))
        # The server refuses an edit that is based on another state.
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.studio.liveedit("adjust", "--contrast", "0.2", "IMG_0003.JPG")
        browser.until("document.querySelector('.notice').innerText.includes('changed elsewhere')")
        browser.act("Show the other version")
        browser.until("document.querySelector(\".way[aria-label='Contrast']\").value == '0.2'")
        self.assertIsNone(self.draft())

    def test_an_edit_that_waits_behind_another_takes_no_place(self):
        browser = self.browser
        self.edit()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.until_draft(lambda draft: draft == {"light": {"exposure": 0.3}})
        # Another window rotates the asset, and this one saves meanwhile.
        browser.run("""
            const asset = location.hash.slice(2).split('/')[0];
            fetch('api/1/edits', {
              method: 'POST', headers: {'Content-Type': 'application/json', 'Liveedit-Key': sessionStorage.getItem('liveedit.key')},
              body: JSON.stringify({assets: [asset], change: {type: 'turn', degrees: 90}}),
            }).then(() => document.querySelector('button.save').click());""")
        browser.until("document.querySelector('.notice').innerText.includes('changed elsewhere')")
        self.assertEqual([version["edit"] for version in self.history()["versions"]], [{"orientation": 6}])
        self.assertEqual(self.draft(), {"light": {"exposure": 0.3}})

    def test_a_long_edit_is_told_to_a_new_server(self):
        browser = self.browser
        # A look with so many colours that it does not fit into an address.
        with open(os.path.join(self.studio.folder, "warm.cube"), "w") as file:
            file.write("LUT_3D_SIZE 12\n" + "".join(f"{r / 11:.4f} {g / 11:.4f} {b / 13:.4f}\n" for b in range(12) for g in range(12) for r in range(12)))
        self.studio.liveedit("adjust", "--look", os.path.join(self.studio.folder, "warm.cube"), "IMG_0003.JPG")
        self.edit()
        self.assertGreater(len(json.dumps(self.history()["versions"][-1]["edit"])), 6000)
        # Drawn once more, by a server that does not recognise the name of the look.
        self.studio.kill()
        browser.until("!document.querySelector('.banner').hidden")
        before = int(self.drawn())
        self.studio.start()
        browser.until("document.querySelector('.banner').hidden")
        browser.until(f"document.querySelector('.editor').dataset.drawn > {before}")
        self.assertTrue(browser.run("return document.querySelector('.notice').hidden"))


class VersionsTest(EditorTest):
    @main_path
    def test_another_version_is_gone_to(self):
        browser = self.browser
        self.edit()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.saved()
        self.slider("Exposure").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.saved()
        self.group("versions")
        browser.until("document.querySelectorAll('.controls .versions .preset').length == 3")
        self.no_findings("versions")
        self.group("light")
        self.slider("Contrast").send_keys(Keys.ARROW_RIGHT)
        self.group("versions")
        # The page asks about unsaved edits.
        browser.run("document.querySelectorAll('.controls .versions .preset')[1].click()")
        browser.act("Leave without saving")
        browser.until("document.querySelector('.controls .versions .preset[aria-pressed=true]')?.innerText.includes('1')")
        self.group("light")
        browser.until("document.querySelector(\".way[aria-label='Exposure']\").value == '0.3'")
        self.assertEqual(self.value("Contrast"), 0)
        self.assertEqual(self.history()["current"], 1)


class ManyTest(EditorTest):
    files = fixtures("IMG_0003")

    def setUp(self):
        super().setUp()
        self.studio.copy("IMG_0003", *[f"IMG_00{number}" for number in range(10, 22)])
        self.browser.until("document.querySelectorAll('.tile').length == 13")

    def test_an_edit_is_copied_to_twelve(self):
        browser = self.browser
        self.edit()
        self.slider("Contrast").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        self.group("crop")
        self.browser.find(".ruler").send_keys(Keys.SHIFT + Keys.ARROW_RIGHT * 3)
        browser.find("[aria-label='Copy edit']").click()
        self.no_findings("copy")
        # Everything except the straightening.
        browser.find("dialog input[value=geometry]").click()
        browser.run("document.querySelector('dialog .buttons button').click()")
        self.saved()
        browser.find("[aria-label='Back to the photo']").click()
        browser.act("Back to all photos")
        browser.until("!document.querySelector('.browse').inert && document.activeElement.matches('.tile')")
        browser.press(Keys.CONTROL + "a")
        browser.until("document.querySelector('.selection .count').textContent.startsWith('13')")
        tile = browser.tile("IMG_0003")
        browser.run("arguments[0].querySelector('.ring').click()", tile)
        browser.until("document.querySelector('.selection .count').textContent.startsWith('12')")
        browser.act("Paste edit")
        self.wait_for(*[f"IMG_E00{number}.MOV" for number in range(10, 22)])
        for number in (10, 21):
            self.assertEqual(self.versions(1, f"IMG_00{number}")[-1]["edit"], {"light": {"contrast": 0.3}})


class KeyboardTest(EditorTest):
    def test_an_edit_without_a_mouse(self):
        browser = self.browser
        browser.tile(self.name)
        browser.run("[...document.querySelectorAll('.tile')].find(tile => tile.getAttribute('aria-label').includes('IMG_0003')).focus()")
        browser.press(Keys.ENTER)
        browser.until("document.querySelector('.viewer:not([hidden]) .picture .sharp.loaded')")
        browser.press("e")
        self.drawn()

        def tab_to(condition, most=60):
            for _ in range(most):
                browser.press(Keys.TAB)
                if browser.run(f"return document.activeElement.matches({json.dumps(condition)})"):
                    return
            self.fail(f"the condition is never met: {condition}")

        tab_to(".group[aria-selected=true]")
        browser.press(Keys.ARROW_RIGHT)
        self.assertEqual(browser.run("return document.activeElement.dataset.group"), "color")
        tab_to(".way[aria-label='Saturation']")
        browser.press(*[Keys.ARROW_RIGHT] * 4)
        self.assertEqual(self.draft(), {"color": {"saturation": 0.04}})
        # Whatever time the page needs to learn the asset's new state, a page that reports the edit as saved can be left.
        browser.run(
            "window.held = []; window.ask = window.fetch; window.fetch = async (path, ...more) => {"
            " if (/api\\/1\\/assets\\//.test(path)) await new Promise(done => held.push(done));"
            " return ask(path, ...more); }")
        browser.press(Keys.CONTROL + "s")
        self.assertEqual(self.versions(1)[-1]["edit"], {"color": {"saturation": 0.04}})
        self.wait_for("IMG_E0003.JPG", "IMG_E0003.MOV")
        browser.until("held.length")
        self.assertEqual(browser.find("button.save").get_attribute("aria-busy"), "true")
        browser.run("window.fetch = ask; held.forEach(letGo => letGo())")
        browser.until("document.querySelector('button.save').textContent == 'Save'")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.editor').hidden && !document.querySelector('.viewer').hidden")
        browser.press(Keys.ESCAPE)
        browser.until("document.querySelector('.viewer').hidden")


class NarrowEditorTest(EditorTest):
    window = {"width": 360, "height": 740}

    def test_a_finger_crops_on_a_phone(self):
        browser = self.browser
        self.edit()
        self.assertEqual(browser.run("return document.documentElement.scrollWidth"), 360)
        self.group("crop")
        browser.until("!document.querySelector('.cropOverlay').hidden")
        self.no_findings("narrow crop")
        box = browser.run("const { left, top, width, height } = document.querySelector('.corner.se').getBoundingClientRect(); return [left + width / 2, top + height / 2, width]")
        self.assertGreaterEqual(box[2], 44)
        touch = lambda kind, points: browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])
        touch("touchStart", [(box[0], box[1])])
        for step in range(1, 6):
            touch("touchMove", [(box[0] - 10 * step, box[1] - 8 * step)])
        touch("touchEnd", [])
        draft = self.until_draft(lambda draft: "geometry" in draft)
        self.assertLess(draft["geometry"]["crop"]["rectangle"][2], 0.95)


if __name__ == "__main__":
    unittest.main(verbosity=2)
