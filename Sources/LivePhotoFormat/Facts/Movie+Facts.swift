import Basics
import EditModel

extension Movie {
  /// Changes the date, location and description wherever a `moov` atom contains them. The positions of samples do not
  /// change.
  ///
  /// - Parameters:
  ///   - facts: The changes to the date, location and description.
  ///   - moov: The atom to change.
  /// - Returns: The names of the removed parts.
  static func state(_ facts: Facts, in moov: inout Atom) throws -> [String] {
    guard let header = try moov.first("mvhd").map(MediaHeader.init) else { return [] }
    let captured =
      try MovieKeys(moov).created ?? header.dates.created.flatMap { CaptureDate($0, source: .movieHeader) }
    let rewrite = FactsRewrite(facts, captured: captured)
    if let dates = rewrite.dates { try moov.change(dates: dates) }
    if !facts.description.isNeutral { try moov.change(description: facts.description) }
    return try facts.place.map { try moov.change(place: $0) } ?? []
  }

  /// Returns the top-level atoms other than `moov` that would contradict the changed facts. Such atoms contain XMP
  /// packets (XMP specification part 3, section 2.3.1), and would otherwise be copied unchanged.
  static func contradictions(
    _ facts: Facts, among atoms: [FileAtom], of source: any ByteSource
  ) throws -> [FileAtom] {
    let rewrite = FactsRewrite(facts, captured: nil)
    return try atoms.filter { atom in
      guard ["uuid", "XMP_", "meta", "udta"].contains(atom.kind), atom.contentSize <= largestPacket else {
        return false
      }
      return rewrite.mayContradict(try source.read(at: atom.contentOffset, count: atom.contentSize))
    }
  }

  /// The maximum size in bytes of an XMP packet that is examined.
  private static let largestPacket = 16 << 20
}
