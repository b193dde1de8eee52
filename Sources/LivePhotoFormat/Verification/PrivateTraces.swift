import Basics

/// The words of a file about place, person, camera and time, as bytes to look for in the files made from it.
package struct PrivateTraces: Sendable {
  /// Each trace once: at least ``least`` bytes.
  private var traces: Set<[UInt8]> = []

  /// Shorter ones occur by chance.
  private static let least = 6
  /// A longer one is known by its beginning.
  private static let longest = 256

  /// Begins with nothing to look for.
  package init() {}

  /// Adds the words of a photo.
  ///
  /// - Throws: ``MediaError`` when it is no photo or damaged.
  package mutating func add(_ photo: Photo, _ what: PrivateMetadata) throws {
    for movie in try photo.unknownMovies() {
      // One that cannot be read has no words to look for.
      do {
        try add(movie: PartByteSource(movie.range, of: photo.source), what)
      } catch is MediaError {}
    }
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
      for meta in try holder.all("meta") { try add(metadata: meta, what) }
      for udta in try holder.all("udta") {
        for entry in try udta.takenApart().children {
          // What cannot be read there names nothing to look for; stripping takes it out where it may tell something.
          if entry.kind == "meta" {
            do { try add(metadata: entry, what) } catch is MediaError {}
          }
          // Length and language, then the text.
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
    // ffmpeg copies the file's brands there, which the new file may have too.
    for item in items where item.type == 1 && !["major_brand", "compatible_brands"].contains(item.name) {
      if what == .all || item.name == "location" || item.name.contains("location.ISO6709") { add(item.value) }
    }
  }

  /// Takes what must stay out of the search: the new identifier.
  package mutating func allow(_ text: String) {
    traces.remove(Array(text.utf8))
  }

  private mutating func add(_ bytes: [UInt8]) {
    let bytes = Array(bytes.prefix(Self.longest))
    let isBlank = bytes.allSatisfy { $0 == 0 || $0 == 0x20 || $0 == 0x3A }
    if bytes.count >= Self.least, !isBlank { traces.insert(bytes) }
  }

  /// Looks for all traces in a file.
  ///
  /// - Returns: the first that is found, as text; nil when there is none.
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

  /// Traces in order, so that a file is gone through once, however many there are.
  private struct List {
    /// Those that do not begin with another one, which is found before them.
    private var sorted: [[UInt8]] = []
    /// Where those begin whose first two bytes are a number, and after the last where they end.
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

    /// The trace that lies at a place where at least two bytes are left.
    func trace(in bytes: [UInt8], at index: Int) -> [UInt8]? {
      let code = Self.code(bytes, at: index)
      var (low, high) = (starts[code], starts[code + 1])
      // Bytes that those before `low`, and those from `high` on, have in common with the file.
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
