import Basics

/// The words of a file about place, person, camera and time, as bytes to look for in the files made from it.
package struct PrivateTraces: Sendable {
  /// Each trace once: at least ``least`` bytes.
  private var traces: Set<[UInt8]> = []

  /// Shorter ones occur by chance.
  private static let least = 6

  /// Begins with nothing to look for.
  package init() {}

  /// Adds the words of a photo.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package mutating func add(_ photo: Photo, _ what: PrivateMetadata) throws {
    for block in try photo.container.exifBlocks() {
      // Latitude and longitude as three fractions.
      for tag in [2, 4] { if let data = block.data(tag, in: .gps) { add(data) } }
      guard what == .all else { continue }
      for directory in TIFFBlock.Directory.allCases {
        for entry in block.listing(directory)?.entries ?? [] where entry.type == 2 {
          if let text = block.text(entry) { add(Array(text.utf8)) }
        }
      }
      if let note = block.contentIdentifier { add(Array(note.utf8)) }
    }
  }

  /// Adds the words of a movie.
  package mutating func add(movie source: any ByteSource, _ what: PrivateMetadata) throws {
    let movie = try Movie(source)
    for holder in try [movie.moov] + movie.moov.all("trak") {
      for meta in try holder.all("meta") {
        for item in try MetadataItems(meta)?.items ?? [] where item.type == 1 {
          if what == .all || item.name.contains("location.ISO6709") { add(item.value) }
        }
      }
      for udta in try holder.all("udta") {
        for entry in try udta.takenApart().children where entry.kind.rawValue >> 24 == 0xA9 {
          // Length and language, then the text.
          if what == .all || entry.kind == .userDataPlace { add(Array(entry.bytes.dropFirst(4))) }
        }
      }
    }
  }

  /// Takes what must stay out of the search: the new identifier.
  package mutating func allow(_ text: String) {
    traces.remove(Array(text.utf8))
  }

  private mutating func add(_ bytes: [UInt8]) {
    let isBlank = bytes.allSatisfy { $0 == 0 || $0 == 0x20 || $0 == 0x3A }
    if bytes.count >= Self.least, !isBlank { traces.insert(bytes) }
  }

  /// Looks for all traces in a file.
  ///
  /// - Returns: the first that is found, as text; nil when there is none.
  package func found(in source: any ByteSource) throws -> String? {
    let byFirst = Dictionary(grouping: traces) { $0[0] }
    let longest = traces.map(\.count).max() ?? 0
    guard longest > 0 else { return nil }
    var isFirst = [Bool](repeating: false, count: 256)
    for byte in byFirst.keys { isFirst[Int(byte)] = true }
    var at = 0
    while at < source.count {
      let bytes = try source.read(at: at, count: min((1 << 20) + longest, source.count - at))
      for index in bytes.indices where isFirst[Int(bytes[index])] {
        for trace in byFirst[bytes[index]] ?? []
        where trace.count <= bytes.count - index && bytes[index..<index + trace.count].elementsEqual(trace) {
          return String(decoding: trace, as: UTF8.self)
        }
      }
      at += 1 << 20
    }
    return nil
  }
}
