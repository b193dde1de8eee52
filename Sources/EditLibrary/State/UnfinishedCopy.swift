import Basics
import FileSystem
import LivePhotoFormat

extension Fingerprint {
  /// Whether the recorded file was an unfinished copy of the current file. This is the case if the current file's data
  /// begins with the recorded file's data.
  ///
  /// - Parameters:
  ///   - place: The path of an original, which can be a symbolic link.
  ///   - end: The end of the recorded file's data if it was followed by zeros up to the file's size, or nil if the file
  ///     did not end in zeros.
  func isUnfinishedCopy(
    of place: String, in folder: HeldFolder, dataEnd end: Int?
  ) throws(EditError) -> Bool {
    if try matches(place, in: folder, isOriginal: true) { return false }
    return try whileReading(folder.path(place)) {
      let source = try folder.source(place, followingLinks: true)
      let end = end ?? size
      guard source.count >= size, 1...max(1, size) ~= end, end < source.count else { return false }
      let (block, zeros) = (1 << 20, size - end)
      let full = CodedMedia.Part.bytes([UInt8](repeating: 0, count: block))
      let parts =
        [.file(0..<end)] + repeatElement(full, count: zeros / block)
        + [.bytes([UInt8](repeating: 0, count: zeros % block))]
      return try Digest.sha256(of: parts, in: source) == sha256
    }
  }
}
