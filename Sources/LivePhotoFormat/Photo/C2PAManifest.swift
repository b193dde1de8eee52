import Basics
import EditModel

/// C2PA manifests, which contain a signed record of a file's origin (C2PA Technical Specification 2.1, appendix A
/// “Embedding manifests”). The hashes in a manifest cover pictures and metadata. A manifest would therefore be invalid
/// in a rewritten file and is never copied.
enum C2PAManifest {
  /// The UUID of the `uuid` box that contains manifests in ISO files: D8FEC3D6-1B0E-483C-9297-5828877EC481.
  private static let box: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
  /// The type of the JUMBF box that contains manifests in JPEGs: 63327061-0011-0010-8000-00AA00389B71.
  private static let jumbfType: [UInt8] = [
    0x63, 0x32, 0x70, 0x61, 0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// Returns the removal entry for a manifest.
  static func removal(from half: HalfKind) -> Removal {
    Removal(half: half, name: "C2PA manifest", reason: "is a signature of the unchanged file")
  }

  /// Returns the boxes of an ISO file that contain manifests.
  static func atoms(among atoms: [FileAtom], of source: any ByteSource) throws -> [FileAtom] {
    try atoms.filter { atom in
      try atom.kind == "uuid" && atom.contentSize >= box.count
        && source.read(at: atom.contentOffset, count: box.count) == box
    }
  }

  /// Returns the number of the box to which an APP11 segment belongs, and whether the segment is the first piece of a
  /// box that contains manifests.
  ///
  /// The segment contains “JP”, the box's number (2 bytes), the piece's number (4 bytes), the box's size and type, and
  /// optionally a longer size. In the first piece, these fields are followed by a description box that states the
  /// content's type (ISO/IEC 19566-5 sections A.3 and D).
  ///
  /// - Parameter payload: The segment's content after the marker and the length.
  /// - Returns: The box's number and whether the segment is the first piece, or nil for any other kind of segment.
  static func piece(_ payload: [UInt8]) -> (box: Int, isManifest: Bool)? {
    guard payload.hasPrefix("JP"), let number = ByteOrder.big.number(payload, at: 2, width: 2),
      let size = ByteOrder.big.number(payload, at: 8, width: 4), payload.count >= 16,
      payload[12..<16].elementsEqual("jumb".utf8)
    else { return nil }
    let start = size == 1 ? 24 : 16
    guard payload.count >= start + 8 + jumbfType.count,
      payload[(start + 4)..<(start + 8)].elementsEqual("jumd".utf8)
    else { return (number, false) }
    return (number, payload[(start + 8)...].starts(with: jumbfType))
  }
}

extension JPEGParts {
  /// Removes all pieces of the manifests. The pieces of other boxes are kept.
  ///
  /// - Returns: The removed parts.
  mutating func removeManifests() -> [Removal] {
    let pieces = list.indices.compactMap { index -> (index: Int, box: Int, isManifest: Bool)? in
      guard list[index].marker == 0xEB, !list[index].isRemoved else { return nil }
      return C2PAManifest.piece(list[index].content).map { (index, $0.box, $0.isManifest) }
    }
    let boxes = Set(pieces.filter(\.isManifest).map(\.box))
    for piece in pieces where boxes.contains(piece.box) { list[piece.index].isRemoved = true }
    return boxes.isEmpty ? [] : [C2PAManifest.removal(from: .photo)]
  }
}

extension HEIFComposition {
  /// Removes the manifests.
  ///
  /// - Returns: The removed parts.
  mutating func removeManifests() throws -> [Removal] {
    let manifests = try C2PAManifest.atoms(among: file.atoms, of: file.source)
    droppedAtoms.formUnion(manifests.map(\.offset))
    return manifests.isEmpty ? [] : [C2PAManifest.removal(from: .photo)]
  }
}
