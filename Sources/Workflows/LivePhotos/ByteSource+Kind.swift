import Basics
import EditLibrary
import LivePhotoFormat

extension ByteSource {
  /// True if it is a picture or a movie of any format, edited by liveedit or not, as far as its first bytes tell.
  package var isPictureOrMovie: Bool {
    get throws {
      if let format = try ForeignFormat(self) { return format != .archive }
      if try Photo(self).kind != nil { return true }
      guard try HalfIdentifier.isMovie(self) else { return false }
      // The size of the first atom (ISO/IEC 14496-12 section 4.2), where a text has letters.
      let head = try read(at: 0, count: 4)
      return head.reduce(0) { $0 << 8 | Int($1) } <= count || head.contains { $0 < 0x09 || $0 > 0x7E }
    }
  }
}
