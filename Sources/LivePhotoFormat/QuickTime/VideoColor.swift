/// The colour description of a video track (`colr`, ISO/IEC 14496-12 section 12.1.5).
package struct VideoColor: Encodable, Hashable, Sendable {
  /// `nclc`, `nclx` or `prof`.
  package let type: String
  /// Number of the primaries (ISO/IEC 23091-2).
  package let primaries: UInt16?
  /// Number of the transfer function.
  package let transfer: UInt16?
  /// Number of the matrix.
  package let matrix: UInt16?
  /// True if samples use the full range; only `nclx` says so.
  package let isFullRange: Bool?

  /// Reads the atom; `nclc` as QuickTime writes it has no range.
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
