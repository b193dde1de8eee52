import Basics
import EditModel

extension Movie {
  /// Changes the facts that a `moov` atom says, in every place. Samples stay where they are.
  ///
  /// - Parameters:
  ///   - facts: what is changed.
  ///   - moov: the atom.
  /// - Returns: names of what it does not carry any more.
  static func state(_ facts: Facts, in moov: inout Atom) throws -> [String] {
    guard let header = try moov.first("mvhd").map(MediaHeader.init) else { return [] }
    let captured =
      try MovieKeys(moov).created ?? header.dates.created.flatMap { CaptureDate($0, source: .movieHeader) }
    let rewrite = FactsRewrite(facts, captured: captured)
    if let dates = rewrite.dates { try moov.change(dates: dates) }
    if !facts.description.isNeutral { try moov.change(description: facts.description) }
    return try facts.place.map { try moov.change(place: $0) } ?? []
  }

  /// The atoms beside `moov` that would contradict changed facts: XMP packets (XMP specification part 3, section 2.3.1),
  /// whose places in the file stay as they are otherwise.
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

  /// No packet that is looked through is larger.
  private static let largestPacket = 16 << 20
}
