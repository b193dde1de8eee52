internal import CLinux
import Glibc

/// The holes of a sparse file: parts that were never written, take no room on the disk and read as zeros.
///
/// The corresponding C function is `lseek` with `SEEK_DATA` and `SEEK_HOLE`. A file system that keeps no holes, or does not tell, says that
/// all of a file is data.
enum FileHoles {
  /// The offset of the first byte from another one on that was written; the file's size if none was.
  static func data(from offset: Int, in descriptor: Int32, size: Int) -> Int {
    guard offset < size else { return size }
    let found = lseek(descriptor, off_t(offset), liveedit_seek_data)
    // Behind the last data.
    if found < 0 { return errno == ENXIO ? size : offset }
    return min(max(Int(found), offset), size)
  }

  /// True if the holes of a file together are larger than so many bytes.
  static func areLarger(than most: Int, in descriptor: Int32, size: Int) -> Bool {
    var (offset, missing) = (0, 0)
    while size - offset > most - missing {
      let hole = lseek(descriptor, off_t(offset), liveedit_seek_hole)
      // The end of every file counts as a hole.
      guard hole >= offset, hole < size else { return false }
      offset = data(from: Int(hole), in: descriptor, size: size)
      missing += offset - Int(hole)
      if missing > most { return true }
      // A file that changes meanwhile may tell otherwise of each place.
      if offset == Int(hole) { return false }
    }
    return false
  }
}
