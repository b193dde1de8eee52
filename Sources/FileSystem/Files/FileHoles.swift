internal import CLinux
import Glibc

/// The holes of a sparse file: parts that were never written, occupy no space on the disk, and are read as zeros.
///
/// The corresponding C function is `lseek` with `SEEK_DATA` and `SEEK_HOLE`. If a file system does not support holes or
/// does not report them, the whole file counts as data.
enum FileHoles {
  /// Returns the offset of the first written byte at or after a given offset. If all following bytes are holes, returns
  /// the file's size.
  static func data(from offset: Int, in descriptor: Int32, size: Int) -> Int {
    guard offset < size else { return size }
    let found = lseek(descriptor, off_t(offset), liveedit_seek_data)
    // The offset is beyond the last written byte.
    if found < 0 { return errno == ENXIO ? size : offset }
    return min(max(Int(found), offset), size)
  }

  /// Returns whether the total size of a file's holes exceeds a given number of bytes.
  static func areLarger(than most: Int, in descriptor: Int32, size: Int) -> Bool {
    var (offset, missing) = (0, 0)
    while size - offset > most - missing {
      let hole = lseek(descriptor, off_t(offset), liveedit_seek_hole)
      // The end of every file counts as a hole.
      guard hole >= offset, hole < size else { return false }
      offset = data(from: Int(hole), in: descriptor, size: size)
      missing += offset - Int(hole)
      if missing > most { return true }
      // If another process is changing the file, the results can contradict each other.
      if offset == Int(hole) { return false }
    }
    return false
  }
}
