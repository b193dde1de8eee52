"""Measures how fast the page of liveedit studio is: speed.py PROGRAM FOLDER prints, as JSON, the milliseconds to the first screen and those
of the longest task while the whole folder is scrolled through. scripts/bench --studio runs it."""
import json, statistics, subprocess, sys

from studio import Browser

# Every picture in the window is shown, small or sharp.
SEEN = """(() => { const tiles = [...document.querySelectorAll('.tile')].filter(tile => tile.getBoundingClientRect().top < innerHeight);
    return tiles.length > 0 && tiles.every(tile => [...tile.querySelectorAll('img')].some(img => img.complete && img.naturalWidth)); })()"""
SCROLL = """const done = arguments[0]; const tasks = []; const scroller = document.querySelector('.scroller');
    new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration))).observe({entryTypes: ['longtask']});
    const end = performance.now() + 6000; let frames = 0;
    const step = () => { scroller.scrollTop += 240; frames += 1;
        if (performance.now() < end) requestAnimationFrame(step); else setTimeout(() => done([Math.max(0, ...tasks), frames / 6]), 200); };
    requestAnimationFrame(step);"""


def main(program, folder):
    process = subprocess.Popen([program, "studio", "--no-open", folder], stdout=subprocess.PIPE, text=True)
    browser = Browser(composes_on_gpu=True)
    try:
        address = process.stdout.readline().strip()
        screens = []
        for number in range(4):
            # The first time, the server reads its index.
            browser.driver.get(address if number == 0 else address.split("?")[0])
            browser.until(SEEN)
            if number:
                screens.append(browser.run("return performance.now()"))
        longest, rate = browser.driver.execute_async_script(SCROLL)
        print(json.dumps({"screen": statistics.median(screens), "longest": longest, "frames": rate}))
    finally:
        browser.end()
        process.terminate()
        process.wait(20)


main(*sys.argv[1:])
