import Basics

/// The private strings in a file, which describe the location, people, camera and time. The files created from that
/// file are searched for these strings.
package struct PrivateTraces: Sendable {
  /// The strings to search for, without duplicates. Each string has at least ``least`` bytes.
  private var traces: Set<[UInt8]> = []

  /// The minimum length in bytes of a string to search for. Shorter strings may occur by chance.
  private static let least = 6
  /// The maximum length in bytes of a string to search for. Longer strings are truncated.
  private static let longest = 256

  /// Creates an empty set of strings to search for.
  package init() {}

  /// Adds the private strings in a photo.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package mutating func add(_ photo: Photo, _ what: PrivateMetadata) throws {
    for movie in try photo.unknownMovies() {
      // An unreadable movie contains no strings to search for.
      do {
        try add(movie: PartByteSource(movie.range, of: photo.source), what)
      } catch is MediaError {}
    }
    for block in try photo.container.exifBlocks() {
      // These tags contain latitude and longitude, each stored as three fractions.
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

  /// Adds the private strings in a movie.
  package mutating func add(movie source: any ByteSource, _ what: PrivateMetadata) throws {
    let movie = try Movie(source)
    for holder in try [movie.moov] + movie.moov.all("trak") {
      for meta in try holder.all("meta") { try add(metadata: meta, what) }
      for udta in try holder.all("udta") {
        for entry in try udta.takenApart().children {
          // Unreadable metadata contains no strings to search for. If such metadata may contain private information,
          // stripping removes it.
          if entry.kind == "meta" {
            do { try add(metadata: entry, what) } catch is MediaError {}
          }
          // The length and language precede the text.
          if entry.kind.rawValue >> 24 == 0xA9, what == .all || entry.kind == .userDataPlace {
            add(Array(entry.bytes.dropFirst(4)))
          }
        }
      }
    }
  }

  private mutating func add(metadata meta: Atom, _ what: PrivateMetadata) throws {
    guard let items = try MetadataItems(meta.plainMetadata)?.items else {
      for entry in meta.codes where what == .all || entry.kind == .userDataPlace {
        for text in entry.codedTexts { add(Array(text)) }
      }
      return
    }
    // ffmpeg copies the file's brands into these items. The new file may legitimately contain the same brands.
    for item in items where item.type == 1 && !["major_brand", "compatible_brands"].contains(item.name) {
      if what == .all || item.name == "location" || item.name.contains("location.ISO6709") { add(item.value) }
    }
  }

  /// Excludes a string from the search. Used for the new identifier, which may occur in the file.
  package mutating func allow(_ text: String) {
    traces.remove(Array(text.utf8))
  }

  private mutating func add(_ bytes: [UInt8]) {
    let bytes = Array(bytes.prefix(Self.longest))
    let isBlank = bytes.allSatisfy { $0 == 0 || $0 == 0x20 || $0 == 0x3A }
    if bytes.count >= Self.least, !isBlank { traces.insert(bytes) }
  }

  /// Searches a file for private strings.
  ///
  /// - Returns: The first private string that is found, or nil if the file does not contain any of the strings.
  package func found(in source: any ByteSource) throws -> String? {
    let list = List(traces)
    let longest = traces.map(\.count).max() ?? 0
    guard longest > 0 else { return nil }
    var at = 0
    while at < source.count {
      let bytes = try source.read(at: at, count: min((1 << 20) + longest, source.count - at))
      for index in bytes.indices.dropLast(Self.least - 1) {
        if let trace = list.trace(in: bytes, at: index) { return String(decoding: trace, as: UTF8.self) }
      }
      at += 1 << 20
    }
    return nil
  }

  /// The strings in sorted order, which allows a file to be searched in a single pass regardless of the number of
  /// strings.
  private struct List {
    /// The strings to search for, without redundant strings. A string is redundant if it begins with another string,
    /// because the shorter string is found first.
    private var sorted: [[UInt8]] = []
    /// For each value of the first two bytes, the index of the first string that begins with these bytes. The last
    /// element is the number of strings.
    private var starts: [Int] = []

    init(_ traces: Set<[UInt8]>) {
      for trace in traces.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        if let last = sorted.last, trace.starts(with: last) { continue }
        sorted.append(trace)
      }
      for (number, trace) in sorted.enumerated() {
        while starts.count <= Self.code(trace, at: 0) { starts.append(number) }
      }
      while starts.count <= 1 << 16 { starts.append(sorted.count) }
    }

    private static func code(_ bytes: [UInt8], at index: Int) -> Int {
      Int(bytes[index]) << 8 | Int(bytes[index + 1])
    }

    /// Returns the string that begins at an index. At least two bytes must remain at that index.
    func trace(in bytes: [UInt8], at index: Int) -> [UInt8]? {
      let code = Self.code(bytes, at: index)
      var (low, high) = (starts[code], starts[code + 1])
      // The number of leading bytes that the file shares with the string just before `low`, and with the strings from
      // `high` onwards.
      var (lowSame, highSame) = (2, 2)
      while low < high {
        let middle = (low + high) / 2
        let trace = sorted[middle]
        var same = min(lowSame, highSame)
        while same < trace.count, index + same < bytes.count, trace[same] == bytes[index + same] { same += 1 }
        if same == trace.count { return trace }
        if index + same == bytes.count || bytes[index + same] < trace[same] {
          (high, highSame) = (middle, same)
        } else {
          (low, lowSame) = (middle + 1, same)
        }
      }
      return nil
    }
  }
}
