/// The colour description of a video track (`colr`, ISO/IEC 14496-12 section 12.1.5).
package struct VideoColor: Encodable, Hashable, Sendable {
  /// The type of the description: `nclc`, `nclx` or `prof`.
  package let type: String
  /// The code for the primaries (ISO/IEC 23091-2).
  package let primaries: UInt16?
  /// The code for the transfer function.
  package let transfer: UInt16?
  /// The code for the matrix.
  package let matrix: UInt16?
  /// Whether samples use the full range, or nil if unknown. Only a description of type `nclx` states the range.
  package let isFullRange: Bool?

  /// Reads a `colr` atom. An `nclc` description, as written by QuickTime, does not state the range.
  init(_ colr: Atom) throws {
    var reader = BigEndianReader(colr.bytes)
    let kind = try reader.fourCC()
    type = kind.description
    guard kind == "nclc" || kind == "nclx" else {
      (primaries, transfer, matrix, isFullRange) = (nil, nil, nil, nil)
      return
    }
    primaries = try reader.uint16()
    transfer = try reader.uint16()
    matrix = try reader.uint16()
    isFullRange = kind == "nclx" && reader.remaining > 0 ? try reader.integer(UInt8.self) & 0x80 != 0 : nil
  }
}
