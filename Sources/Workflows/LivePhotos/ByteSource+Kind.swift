import Basics
import EditLibrary
import LivePhotoFormat

extension ByteSource {
  /// Whether the file begins like a picture or a movie in any format. Renders are included.
  package var isPictureOrMovie: Bool {
    get throws {
      if let format = try ForeignFormat(self) { return format != .archive }
      if try Photo(self).kind != nil { return true }
      guard try HalfIdentifier.isMovie(self) else { return false }
      // These four bytes contain the size of the first box (ISO/IEC 14496-12 section 4.2). In a text file, they are
      // letters.
      let head = try read(at: 0, count: 4)
      return head.reduce(0) { $0 << 8 | Int($1) } <= count || head.contains { $0 < 0x09 || $0 > 0x7E }
    }
  }
}
