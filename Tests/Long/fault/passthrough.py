"""A file system that passes requests on to another folder, through /dev/fuse, and fails on demand: without locks, like NFS without
its lock daemon, or read-only from some moment on. It reports no changes that are made in the other folder itself.

It implements the kernel's protocol (include/uapi/linux/fuse.h, 7.31) in one process, one request after another. It is only for
tests: it is slow, and everything belongs to the user who mounts it.
"""
import contextlib
import ctypes
import errno
import mmap
import os
import signal
import stat
import struct
import time

from crash.folders import adopt_orphans

LOOKUP, FORGET, GETATTR, SETATTR, READLINK, SYMLINK, MKNOD, MKDIR, UNLINK, RMDIR, RENAME, LINK = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13)
OPEN, READ, WRITE, STATFS, RELEASE, FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR = (14, 15, 16, 17, 18, 20, 25, 26, 27, 28, 29, 30)
GETLK, SETLK, SETLKW, CREATE, INTERRUPT, DESTROY, BATCH_FORGET, RENAME2 = (31, 32, 33, 35, 36, 38, 42, 45)
CHANGES = {SETATTR, SYMLINK, MKNOD, MKDIR, UNLINK, RMDIR, RENAME, LINK, WRITE, CREATE, RENAME2}
POSIX_LOCKS, FLOCK_LOCKS = 1 << 1, 1 << 10
# The requested errors, as numbers in shared memory.
WRITING, FLOCK, POSIX, READING = range(4)


def mount_call(source, target, kind, flags, data):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source.encode(), target.encode(), kind.encode(), flags, data.encode()) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Passthrough:
    """The file system, in a separate process: it shows `folder` at `target` from begin to end. It calls `opened` with the name
    of each file that was just opened; meanwhile it serves no other request."""

    def __init__(self, folder, target, opened=None):
        self.folder, self.target, self.opened = folder, target, opened
        self.errors = mmap.mmap(-1, 4096)

    def fail(self, what, code):
        """Makes a kind of call fail with an error from now on; 0 makes it work again."""
        self.errors[what] = code

    def begin(self):
        device = os.open("/dev/fuse", os.O_RDWR)
        try:
            mount_call("passthrough", self.target, "fuse", 0,
                       f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other,default_permissions")
        except OSError:
            os.close(device)
            raise
        # A grandchild that is not adopted, so that code that waits for commands does not wait for it.
        adopt_orphans(False)
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                server = os.fork()
                if server:
                    os.write(tell, str(server).encode())
                    os._exit(0)
                os.setsid()
                os.umask(0)
                Server(device, self.folder, self.errors, self.opened).serve()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        adopt_orphans()
        self.process = int(os.read(told, 20))
        for descriptor in (told, tell, device):
            os.close(descriptor)

    def end(self):
        ctypes.CDLL(None).umount2(self.target.encode(), 2)  # MNT_DETACH
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)


class Node:
    def __init__(self, descriptor):
        self.descriptor, self.count = descriptor, 0

    @property
    def path(self):
        return f"/proc/self/fd/{self.descriptor}"


class Server:
    def __init__(self, device, folder, errors, has_opened):
        self.device, self.errors, self.has_opened = device, errors, has_opened
        self.nodes = {1: Node(os.open(folder, os.O_PATH))}
        self.numbers, self.next = {}, 2

    def serve(self):
        while True:
            try:
                request = os.read(self.device, (1 << 17) + 4096)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT, errno.EAGAIN):
                    continue
                return
            length, op, unique, node, *_ = struct.unpack_from("<IIQQIIII", request)
            if op in (FORGET, BATCH_FORGET, INTERRUPT):
                continue  # nothing is ever forgotten, since the process is short-lived
            try:
                code = self.errors[WRITING]
                if code and (op in CHANGES or op in (OPEN, FSYNC, FSYNCDIR) and self.writes(op, request)):
                    raise OSError(code, "")
                data, code = self.answer(op, node, request[40:length]), 0
            except OSError as error:
                data, code = b"", error.errno or errno.EIO
            except NotImplementedError:
                data, code = b"", errno.ENOSYS
            with contextlib.suppress(OSError):
                os.write(self.device, struct.pack("<IiQ", 16 + len(data), -code, unique) + data)
            if op == OPEN and not code and self.has_opened:
                self.has_opened(os.path.basename(os.readlink(self.nodes[node].path)))
            if op == DESTROY:
                return

    def writes(self, op, request):
        return op == OPEN and struct.unpack_from("<I", request, 40)[0] & (os.O_WRONLY | os.O_RDWR | os.O_TRUNC) != 0 or \
            op != OPEN and self.errors[WRITING] not in (errno.EROFS, errno.EACCES)

    def attributes(self, status):
        def parts(nanoseconds):
            return divmod(nanoseconds, 1_000_000_000)
        (atime, a), (mtime, m), (ctime, c) = parts(status.st_atime_ns), parts(status.st_mtime_ns), parts(status.st_ctime_ns)
        return struct.pack("<QQQQQQIIIIIIIIII", status.st_ino, status.st_size, status.st_blocks, atime, mtime, ctime, a, m, c,
                           status.st_mode, status.st_nlink, status.st_uid, status.st_gid, status.st_rdev, status.st_blksize, 0)

    def entry(self, folder, name):
        descriptor = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
        status = os.fstat(descriptor)
        key = (status.st_dev, status.st_ino)
        number = self.numbers.get(key)
        if number is None:
            # The node keeps its descriptor, so that no other file gets its inode.
            number = self.numbers[key] = self.next
            self.next += 1
            self.nodes[number] = Node(descriptor)
        else:
            os.close(descriptor)
        # Nothing is cached, so that changes in the other folder are visible at once.
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + self.attributes(status)

    def opened(self, node, flags):
        flags &= ~(os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
        return os.open(self.nodes[node].path, flags | os.O_CLOEXEC)

    def answer(self, op, node, data):
        place = self.nodes[node].descriptor if node in self.nodes else None

        def words(start):
            return [os.fsencode(w) if isinstance(w, str) else w for w in data[start:].split(b"\0")]

        if op == INIT:
            _, minor, ahead, flags = struct.unpack_from("<IIII", data)
            wanted = flags & (1 << 5)
            if self.errors[FLOCK]:
                wanted |= flags & FLOCK_LOCKS
            if self.errors[POSIX]:
                wanted |= flags & POSIX_LOCKS
            return struct.pack("<IIIIHHIIHHI28x", 7, min(minor, 31), ahead, wanted, 12, 9, 1 << 17, 1, 0, 0, 0)
        if op == LOOKUP:
            return self.entry(place, words(0)[0])
        if op == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(os.fstat(place))
        if op == SETATTR:
            valid, _, handle, size, _, atime, mtime, _, a, m, _, mode = struct.unpack_from("<IIQQQQQQIIII", data)
            path = self.nodes[node].path
            if valid & 1:
                os.chmod(path, stat.S_IMODE(mode))
            if valid & 8:
                if valid & 64:
                    os.ftruncate(handle, size)
                else:
                    os.truncate(path, size)
            if valid & (16 | 32 | 128 | 256):
                now, status = time.time_ns(), os.stat(path)
                new = [now if valid & is_now else seconds * 10**9 + part if valid & is_set else old for is_set, is_now, seconds, part, old in (
                    (16, 128, atime, a, status.st_atime_ns), (32, 256, mtime, m, status.st_mtime_ns))]
                os.utime(path, ns=tuple(new))
            return struct.pack("<QII", 0, 0, 0) + self.attributes(os.fstat(place))
        if op == READLINK:
            return os.fsencode(os.readlink(b"", dir_fd=place))
        if op == SYMLINK:
            name, target = words(0)[:2]
            os.symlink(target, name, dir_fd=place)
            return self.entry(place, name)
        if op == MKNOD:
            mode, device, umask, _ = struct.unpack_from("<IIII", data)
            name = words(16)[0]
            os.mknod(name, mode & ~umask, device, dir_fd=place)
            return self.entry(place, name)
        if op == MKDIR:
            mode, umask = struct.unpack_from("<II", data)
            name = words(8)[0]
            os.mkdir(name, mode & ~umask, dir_fd=place)
            return self.entry(place, name)
        if op == UNLINK:
            os.unlink(words(0)[0], dir_fd=place)
            return b""
        if op == RMDIR:
            os.rmdir(words(0)[0], dir_fd=place)
            return b""
        if op in (RENAME, RENAME2):
            target, = struct.unpack_from("<Q", data)
            old, new = words(8 if op == RENAME else 16)[:2]
            if op == RENAME2 and struct.unpack_from("<I", data, 8)[0]:
                raise OSError(errno.EINVAL, "")
            os.rename(old, new, src_dir_fd=place, dst_dir_fd=self.nodes[target].descriptor)
            return b""
        if op == LINK:
            source, = struct.unpack_from("<Q", data)
            name = words(8)[0]
            os.link(self.nodes[source].path, name, dst_dir_fd=place, follow_symlinks=True)
            return self.entry(place, name)
        if op in (OPEN, OPENDIR):
            if self.errors[READING] and op == OPEN:
                raise OSError(self.errors[READING], "")
            flags, = struct.unpack_from("<I", data)
            # FOPEN_DIRECT_IO is not set, because it would forbid mapping.
            return struct.pack("<QII", self.opened(node, flags), 0, 0)
        if op == CREATE:
            flags, mode, umask, _ = struct.unpack_from("<IIII", data)
            name = words(16)[0]
            handle = os.open(name, (flags | os.O_CREAT) & ~os.O_NOFOLLOW, mode & ~umask, dir_fd=place)
            return self.entry(place, name) + struct.pack("<QII", handle, 0, 0)
        if op == READ:
            if self.errors[READING]:
                raise OSError(self.errors[READING], "")
            handle, offset, size = struct.unpack_from("<QQI", data)
            return os.pread(handle, size, offset)
        if op == WRITE:
            handle, offset, size = struct.unpack_from("<QQI", data)
            return struct.pack("<II", os.pwrite(handle, data[40:40 + size], offset), 0)
        if op == STATFS:
            s = os.statvfs(self.nodes[1].path)
            return struct.pack("<QQQQQIIII24x", s.f_blocks, s.f_bfree, s.f_bavail, s.f_files, s.f_ffree, s.f_bsize, s.f_namemax, s.f_frsize, 0)
        if op in (RELEASE, RELEASEDIR):
            os.close(struct.unpack_from("<Q", data)[0])
            return b""
        if op in (FSYNC, FSYNCDIR):
            os.fsync(struct.unpack_from("<Q", data)[0])
            return b""
        if op == FLUSH:
            return b""
        if op == READDIR:
            handle, offset, size = struct.unpack_from("<QQI", data)
            entries = [(".", 4), ("..", 4)] + [(e.name, 8 if e.is_file(follow_symlinks=False) else 4 if e.is_dir(follow_symlinks=False) else 0)
                                               for e in sorted(os.scandir(handle), key=lambda e: e.name)]
            found = b""
            for number, (name, kind) in enumerate(entries[offset:], offset + 1):
                name = os.fsencode(name)
                record = struct.pack("<QQII", 1 << 40 | number, number, len(name), kind) + name
                record += b"\0" * (-len(record) % 8)
                if len(found) + len(record) > size:
                    break
                found += record
            return found
        if op in (GETLK, SETLK, SETLKW):
            is_flock = struct.unpack_from("<I", data, 40)[0] & 1
            unlocks = struct.unpack_from("<I", data, 32)[0] == 2
            code = self.errors[FLOCK if is_flock else POSIX]
            if unlocks:
                return b""
            raise OSError(code or errno.ENOLCK, "")
        if op == DESTROY:
            return b""
        raise NotImplementedError
