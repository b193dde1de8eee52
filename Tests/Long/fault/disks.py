"""Disk faults: a quota, a file system that is read-only from the start or becomes so, and a power failure."""
import fcntl
import os
import re
import shutil
import struct
import subprocess
import tempfile

from crash.folders import Lost, hidden, names, run, visible
from fault.kind import PHOTO, Kind, mount_reason, tool


def photos(scenario, folder):
    """The scenario's original photos, as words of a command."""
    return ["{}/" + name for name in scenario.present(folder) if name.endswith((".JPG", ".HEIC"))]


class Image(Kind):
    """Faults of a file system inside a file, which must be mounted."""

    needs_root = True
    maker = ()
    size = 64 << 20
    options = "loop"

    def reason(self):
        return super().reason() or (None if shutil.which(self.maker[0]) else f"{self.maker[0]} is not installed") or self.loop_reason()

    def loop_reason(self):
        """The reason why a file cannot be mounted, or None if it can."""
        with tempfile.TemporaryDirectory() as place:
            image = os.path.join(place, "image")
            with open(image, "wb") as file:
                file.truncate(self.size)
            made = subprocess.run([*self.maker, image], capture_output=True, text=True)
            mounted = made.returncode == 0 and subprocess.run(["mount", "-o", self.options, image, place], capture_output=True, text=True)
            if not mounted or mounted.returncode != 0:
                return "no file system can be mounted from a file: " + ((mounted or made).stderr.strip() or "no reason given")
            subprocess.run(["umount", place], check=True)
        return None

    def begin(self, context):
        super().begin(context)
        self.image, self.mounted = os.path.join(context.place, "image"), os.path.dirname(self.folder)

    def format(self):
        with open(self.image, "wb") as file:
            file.truncate(self.size)
        tool(*self.maker, self.image)
        self.mount()

    def mount(self):
        tool("mount", "-o", self.options, self.image, self.mounted)

    def unmount(self):
        tool("umount", self.mounted)

    def end(self):
        subprocess.run(["umount", "-l", self.mounted], capture_output=True)


class Rising(Kind):
    """Faults that limit the room, and raise the limit until the command has succeeded twice: by a step, or by a sixteenth of the
    room if that is more."""

    def points(self):
        for scenario in self.chosen():
            free = done = failed = 0
            while done < 2 and free < 12 << 20:
                self.is_done = False
                result = self.tried(scenario, f"{free >> 10} KiB", lambda: self.point(scenario, free))
                done += self.is_done
                failed += not self.is_done
                yield result
                free += max(self.context.options.step << 10, free >> 14 << 10)
            if done < 2:
                yield scenario.name, "12 MiB", "lost", "the command needs more room than that"
            # A repair that is impossible is reported, and deleting a preset needs no room.
            if not failed and not scenario.is_reader and scenario.name not in ("stuck", "unset"):
                yield scenario.name, "0 KiB", "lost", "it succeeds without room, so the fault was not tried"

    def judged(self, scenario, outcome, words):
        """The outcome once there is room again; the message of a failed command contains one of these words."""
        self.words(scenario, outcome)
        if outcome.status == 1 and not re.search(words, outcome.err + outcome.out):
            raise Lost(f"it does not report that there is no room: “{outcome.err.strip()}”")
        self.is_done = outcome.status == 0
        return scenario.judged(outcome, self.folder)


class Full(Rising):
    """A file system in memory that another file fills except for the given room."""

    def reason(self):
        return mount_reason()

    def begin(self, context):
        super().begin(context)
        self.mounted = os.path.dirname(self.folder)
        tool("mount", "-t", "tmpfs", "-o", "size=24m", "none", self.mounted)
        self.filler = os.path.join(self.mounted, "filler")

    def end(self):
        subprocess.run(["umount", "-l", self.mounted], capture_output=True)

    def point(self, scenario, free):
        self.fresh(scenario)
        could_be_read = self.asked(scenario).status == 0
        status = os.statvfs(self.mounted)
        with open(self.filler, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, status.f_bavail * status.f_bsize - free)
        try:
            outcome = run(scenario.line(scenario.command, self.folder))
            # Edited files stay readable meanwhile, unless the scenario begins with an unreadable library.
            read = self.asked(scenario)
            if could_be_read and read.status != 0:
                raise Lost(f"history fails: {read.err.strip()}")
        finally:
            os.remove(self.filler)
        return self.judged(scenario, outcome, "disk is full")

    def asked(self, scenario):
        """The output of `history` for the originals, by their current names."""
        return run(scenario.line(["history", "--", *photos(scenario, self.folder)], self.folder))


class Quota(Image, Rising):
    maker = ("mkfs.btrfs", "-q", "-f", "-M")
    size = 128 << 20

    def begin(self, context):
        super().begin(context)
        self.format()
        tool("btrfs", "quota", "enable", self.mounted)

    def fresh(self, scenario):
        if os.path.exists(self.folder):
            tool("btrfs", "subvolume", "delete", "-c", self.folder)
        tool("btrfs", "subvolume", "create", self.folder)
        shutil.copytree(scenario.start, self.folder, symlinks=True, dirs_exist_ok=True)
        tool("sync", "-f", self.folder)

    def point(self, scenario, free):
        self.fresh(scenario)
        used = tool("btrfs", "qgroup", "show", "--raw", "-f", self.folder).split("\n")[2].split()[1]
        # By number, because even a temporary name in the folder would count.
        group = "0/" + tool("btrfs", "inspect-internal", "rootid", self.folder).strip()
        tool("btrfs", "qgroup", "limit", str(int(used) + free), group, self.mounted)
        try:
            outcome = run(scenario.line(scenario.command, self.folder))
        finally:
            tool("btrfs", "qgroup", "limit", "none", group, self.mounted)
        # If a catalogue cannot grow, the message is SQLite's.
        return self.judged(scenario, outcome, "quota|disk is full")


class ReadOnly(Kind):
    def begin(self, context):
        super().begin(context)
        self.mounted = os.path.dirname(self.folder)
        tool("mount", "-t", "tmpfs", "-o", "size=256m", "none", self.mounted)

    def end(self):
        subprocess.run(["umount", "-l", self.mounted], capture_output=True)

    def reason(self):
        # In a separate namespace, this needs no privileges.
        return mount_reason()

    def remount(self, how):
        tool("mount", "-o", "remount," + how, self.mounted)

    def refused(self, scenario):
        self.fresh(scenario)
        self.remount("ro")
        try:
            outcome = run(scenario.line(scenario.command, self.folder))
            self.words(scenario, outcome)
            if (outcome.status == 0) != scenario.is_reader or ("read-only" not in outcome.err) != scenario.is_reader:
                raise Lost(f"exit {outcome.status}, “{outcome.err.strip()}”")
            for words in (["list", "{}"], ["check", "{}"], ["history", *photos(scenario, self.folder)[:1]], ["inspect", *photos(scenario, self.folder)[:1]],
                          ["verify", *photos(scenario, self.folder)[:1]]):
                read = run(scenario.line(words, self.folder))
                # Some scenarios begin with problems that the command finds.
                if read.status not in ((0, 1) if scenario.is_one_end or words[0] in ("check", "verify") else (0,)):
                    raise Lost(f"{words[0]} fails: {read.err.strip()}")
                if "read-only" in read.err:
                    raise Lost(f"{words[0]} tries to write: {read.err.strip()}")
        finally:
            self.remount("rw")
        return scenario.judged(outcome, self.folder)

    def elsewhere(self, scenario):
        """Edits with a library in another folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(scenario.start, self.folder, symlinks=True)
        library = tempfile.mkdtemp(prefix="library-", dir=self.context.place)
        before = visible(self.folder)
        self.remount("ro")
        try:
            for words in (["rotate", "--degrees", "90"], ["adjust", "--exposure", "0.3"], ["date", "--shift", "1h"], ["revert"], ["redo"],
                          ["mark", "--favourite"], ["forget"]):
                done = run(scenario.line([*words, "--library", library, "{}/" + PHOTO], self.folder))
                if done.status != 0:
                    raise Lost(f"{words[0]} --library fails: {done.err.strip()}")
                checked = run(scenario.line(["check", "--library", library, "{}"], self.folder))
                if checked.status != 0:
                    raise Lost(f"check after {words[0]}: {checked.out.strip()} {checked.err.strip()}")
            if visible(self.folder) != before or hidden(self.folder):
                raise Lost(f"the folder of the originals changed: {names(visible(self.folder))}")
        finally:
            self.remount("rw")
            shutil.rmtree(library)
        return "edited elsewhere"

    def points(self):
        for scenario in self.chosen():
            yield self.tried(scenario, "from the beginning", lambda: self.refused(scenario))
            if scenario.name == "first":
                yield self.tried(scenario, "with --library", lambda: self.elsewhere(scenario))


class Remount(Image):
    """A real fault: ext4 with errors=remount-ro, and an error from the kernel's own trigger."""

    maker = ("mkfs.ext4", "-q", "-F")
    options = "loop,errors=remount-ro"

    def fault(self):
        device = next(line.split()[0] for line in open("/proc/self/mounts") if line.split()[1] == self.mounted)
        with open(f"/sys/fs/ext4/{os.path.basename(device)}/trigger_fs_error", "w") as file:
            file.write("a test")

    def mend(self):
        self.unmount()
        subprocess.run(["e2fsck", "-fy", self.image], capture_output=True)
        self.mount()

    def point(self, scenario, _, delay):
        self.end()
        self.format()
        self.fresh(scenario)
        tool("sync", "-f", self.folder)
        outcome, was_early = self.disturb(scenario, self.fault, delay)
        self.mend()
        self.words(scenario, outcome)
        state = scenario.judged(outcome, self.folder)
        return state if was_early else "after the end: " + state


class Power(Remount):
    options = "loop"

    def fault(self):
        folder = os.open(self.mounted, os.O_RDONLY)
        try:
            # EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: everything that is not in the journal is lost.
            fcntl.ioctl(folder, 0x8004587D, struct.pack("I", 2))
        finally:
            os.close(folder)

    def mend(self):
        self.unmount()
        self.mount()
