"""Chromium's statements about photos and movies: a headless Chromium decodes, plays and seeks them in a test page."""

import functools
import http.server
import json
import os
import subprocess
import tempfile
import threading

import peers

LONGEST = 120  # the time limit in seconds for each step with a file

PAGE = """<!doctype html><meta charset=utf-8><script>
const files = FILES;
const wait = (target, name) => new Promise((done, fail) => {
  target.addEventListener(name, done, {once: true});
  target.addEventListener('error', () => fail(new Error(target.error ? target.error.message : 'does not show it')), {once: true});
  setTimeout(() => fail(new Error('no ' + name + ' in LONGEST s')), LONGEST * 1000); });
const tell = (data) => fetch('/said', {method: 'POST', body: JSON.stringify(data)});
(async () => { for (const file of files) { const says = [], numbers = {};
  try {
    if (/[.](mov|mp4)$/i.test(file)) {
      const video = document.createElement('video'); video.muted = true; video.preload = 'auto';
      const blob = await (await fetch(file)).blob();
      video.src = URL.createObjectURL(new Blob([blob], {type: 'video/mp4'}));
      await wait(video, 'loadeddata');
      if (video.videoWidth) { numbers.width = video.videoWidth; numbers.height = video.videoHeight; } else { says.push('shows no picture'); }
      numbers.duration = video.duration;
      const seeked = wait(video, 'seeked'); video.currentTime = video.duration * 0.6; await seeked;
      const ended = wait(video, 'ended'); video.playbackRate = 4; await video.play(); await ended;
      says.push(video.webkitAudioDecodedByteCount > 0 ? 'tells sound' : 'tells no sound');
      URL.revokeObjectURL(video.src);
    } else {
      const image = new Image(); const loaded = wait(image, 'load'); image.src = file; await loaded; await image.decode();
      numbers.width = image.naturalWidth; numbers.height = image.naturalHeight;
    }
  } catch (error) { says.push(String(error.message || error)); }
  await tell({file, says, numbers}); }
await tell({file: null}); })();
</script>"""


def ask(paths):
    """{path: (statements, numbers)} of all paths. A file without an answer in time is tried once more."""
    answers = asked(paths)
    late = [path for path in paths if path not in answers or any(text.endswith(" in N s") for text in answers[path][0])]
    answers |= asked(late)
    return {path: answers.get(path, (["gives no answer"], {})) for path in paths}


def asked(paths):
    """One browser's statements about files, without the files that it did not answer for."""
    answers = {}
    if not paths:
        return answers
    done, heard = threading.Event(), threading.Event()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as own:
        names = {}
        for index, path in enumerate(paths):
            name = f"{index}{os.path.splitext(path)[1].lower()}"
            os.symlink(os.path.abspath(path), os.path.join(folder, name))
            names[name] = path

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".heic": "image/heic", ".webp": "image/webp"}

            def do_POST(self):
                said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                heard.set()
                self.send_response(204)
                self.end_headers()
                if said["file"] is None:
                    done.set()
                else:
                    path = names[said["file"]]
                    answers[path] = ([peers.plain(text, said["file"]) for text in said["says"]], said["numbers"])

            def log_message(self, *_):
                pass

        with open(os.path.join(folder, "page.html"), "w") as page:
            page.write(PAGE.replace("FILES", json.dumps(list(names))).replace("LONGEST", str(LONGEST)))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        # A browser cancels a request when it has read enough of a movie.
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required",
             f"--user-data-dir={own}/profile", "--disable-dev-shm-usage", "--remote-debugging-port=0",
             f"http://127.0.0.1:{server.server_port}/page.html"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # The browser works as long as answers arrive.
        while not done.is_set() and heard.wait(5 * LONGEST):
            heard.clear()
            done.wait(1)
        browser.terminate()
        browser.wait()
        server.shutdown()
    return answers
