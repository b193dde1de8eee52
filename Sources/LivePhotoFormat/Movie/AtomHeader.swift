import Basics

/// The header of an atom: a 32-bit size and a kind, then a 64-bit size where the first one says 1. A size of 0
/// means “up to the end of what is around it” (QuickTime File Format, “Atom Layout”).
struct AtomHeader: Hashable, Sendable {
  let kind: FourCC
  /// Header and content, in bytes.
  let size: Int
  /// The header alone: 8 or 16 bytes.
  let headerSize: Int

  /// - Parameters:
  ///   - reader: stands at the header, and behind it afterwards.
  ///   - available: bytes from the header's start to the end of what is around it.
  init(_ reader: inout BigEndianReader, available: Int) throws {
    let short = Int(try reader.uint32())
    kind = try reader.fourCC()
    guard short == 1 else {
      size = short == 0 ? available : short
      headerSize = 8
      return
    }
    guard let long = Int(exactly: try reader.uint64()) else {
      throw MediaError("its atom “\(kind)” has an impossible size")
    }
    size = long
    headerSize = 16
  }
}
