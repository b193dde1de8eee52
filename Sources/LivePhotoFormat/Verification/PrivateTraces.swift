import Basics

/// The texts in a file that describe location, people, camera and time, as bytes to search for in the files created
/// from it.
package struct PrivateTraces: Sendable {
  /// The traces without duplicates. Each has at least ``least`` bytes.
  private var traces: Set<[UInt8]> = []

  /// The minimum length of a trace. Shorter traces occur by chance.
  private static let least = 6
  /// The maximum length of a trace. Of longer traces, only the beginning is used.
  private static let longest = 256

  /// Creates an empty set of traces.
  package init() {}

  /// Adds the texts in a photo.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
  package mutating func add(_ photo: Photo, _ what: PrivateMetadata) throws {
    for movie in try photo.unknownMovies() {
      // An unreadable movie contains no texts to search for.
      do {
        try add(movie: PartByteSource(movie.range, of: photo.source), what)
      } catch is MediaError {}
    }
    for block in try photo.container.exifBlocks() {
      // Latitude and longitude, each stored as three fractions.
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

  /// Adds the texts in a movie.
  package mutating func add(movie source: any ByteSource, _ what: PrivateMetadata) throws {
    let movie = try Movie(source)
    for holder in try [movie.moov] + movie.moov.all("trak") {
      for meta in try holder.all("meta") { try add(metadata: meta, what) }
      for udta in try holder.all("udta") {
        for entry in try udta.takenApart().children {
          // Unreadable metadata contains no texts to search for. Stripping removes such metadata if it may contain
          // private information.
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
    // ffmpeg copies the file's brands into these items. The new file may contain the same brands.
    for item in items where item.type == 1 && !["major_brand", "compatible_brands"].contains(item.name) {
      if what == .all || item.name == "location" || item.name.contains("location.ISO6709") { add(item.value) }
    }
  }

  /// Excludes a text from the search: the new identifier, which may occur.
  package mutating func allow(_ text: String) {
    traces.remove(Array(text.utf8))
  }

  private mutating func add(_ bytes: [UInt8]) {
    let bytes = Array(bytes.prefix(Self.longest))
    let isBlank = bytes.allSatisfy { $0 == 0 || $0 == 0x20 || $0 == 0x3A }
    if bytes.count >= Self.least, !isBlank { traces.insert(bytes) }
  }

  /// Searches a file for all traces.
  ///
  /// - Returns: The first trace that is found, as text, or nil if none is found.
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

  /// The traces in sorted order, so that a file can be searched in one pass, regardless of the number of traces.
  private struct List {
    /// The traces that do not begin with another trace. A trace that begins with another one is redundant, because the
    /// shorter trace is found first.
    private var sorted: [[UInt8]] = []
    /// For each value of the first two bytes, the index at which the traces with that value begin. The last element is
    /// the number of traces.
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

    /// Returns the trace that begins at an index, at which at least two bytes must be left.
    func trace(in bytes: [UInt8], at index: Int) -> [UInt8]? {
      let code = Self.code(bytes, at: index)
      var (low, high) = (starts[code], starts[code + 1])
      // The number of leading bytes that the file shares with the traces just before `low`, and with the traces from
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
