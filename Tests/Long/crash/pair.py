"""A Live Photo that is edited quickly, for tests that disturb programs rather than check pictures."""
import os
import subprocess

PROJECT = os.path.abspath(os.path.join(__file__, "../../../.."))


def small_pair(programs, folder):
    """Makes a photo and a 0.4 s movie in a folder; returns their paths."""
    clip = os.path.join(folder, "clip.mov")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=10:duration=0.4", "-c:v", "libx264",
                    "-pix_fmt", "yuv420p", clip], check=True)
    subprocess.run([os.path.join(programs, "liveedit"), "create", "--photo", os.path.join(PROJECT, "Fixtures/gainmap.JPG"),
                    "--movie", clip, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "gainmap.JPG"), os.path.join(folder, "gainmap.MOV")
