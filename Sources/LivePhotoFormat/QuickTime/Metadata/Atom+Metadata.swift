/// Access to metadata atoms (`meta`) in the layouts of QuickTime and of ISO files, with entries identified by keys or
/// by four-character codes.
extension Atom {
  /// The number of bytes before the handler, which is the first atom in a `meta` atom. In ISO files, the version and
  /// flags precede the handler (ISO/IEC 14496-12 section 8.11.1). In QuickTime files, no bytes precede the handler.
  private var metadataHead: Int {
    bytes.count >= 12 && bytes[8..<12].elementsEqual("hdlr".utf8) ? 4 : 0
  }

  /// The `meta` atom in QuickTime's layout.
  var plainMetadata: Atom { Atom(kind, Array(bytes.dropFirst(metadataHead))) }

  /// Changes a `meta` atom in QuickTime's layout. The bytes that ISO files store before the handler are kept.
  mutating func changePlainMetadata<Result>(_ change: (inout Atom) throws -> Result) rethrows -> Result {
    let head = Array(bytes.prefix(metadataHead))
    var plain = plainMetadata
    defer { bytes = head + plain.bytes }
    return try change(&plain)
  }

  /// The metadata entries identified by codes, in iTunes' layout, or an empty array if the atom contains other
  /// metadata.
  var codes: [Atom] {
    let plain = try? plainMetadata.takenApart()
    guard (try? plain?.children.first)?.kind == "hdlr" else { return [] }
    return (try? plain?.first("ilst")?.takenApart().children) ?? []
  }

  /// Changes the metadata entries identified by codes.
  mutating func changeCodes(_ change: (inout [Atom]) -> Void) {
    changePlainMetadata { meta in
      guard var parts = try? meta.takenApart(), (try? parts.children.first)?.kind == "hdlr",
        var list = try? parts.first("ilst")?.takenApart()
      else { return }
      try? list.changeChildren { change(&$0) }
      try? parts.put(list)
      meta = parts
    }
  }

  /// The strings in an entry identified by a code: the contents of the entry's `data` atoms of type 1 (UTF-8).
  var codedTexts: [ArraySlice<UInt8>] {
    let data = (try? takenApart().all("data")) ?? []
    return data.filter(\.isCodedText).map { $0.bytes[8...] }
  }

  /// Changes the strings in an entry identified by a code.
  mutating func changeCodedText(_ change: (String) -> String) {
    guard var entry = try? takenApart() else { return }
    try? entry.changeAll("data") { data in
      guard data.isCodedText else { return }
      let text = change(String(decoding: data.bytes[8...], as: UTF8.self))
      data.bytes = Array(data.bytes[..<8]) + Array(text.utf8)
    }
    self = entry
  }

  private var isCodedText: Bool { bytes.count >= 8 && bytes[..<4].elementsEqual([0, 0, 0, 1]) }

  /// Whether an entry identified by a code contains a location: `©xyz`, or a free-form entry (`----`) whose name
  /// indicates a location.
  var isCodedPlace: Bool {
    if kind == .userDataPlace { return true }
    guard kind == "----", let name = try? takenApart().first("name") else { return false }
    return MovieSurgery.tellsPlace(String(decoding: name.bytes.dropFirst(4), as: UTF8.self))
  }

  /// Replaces the text of existing keys in typed metadata. If the new text of a key is empty, the key is removed.
  mutating func changeTexts(_ texts: [String: String]) {
    changePlainMetadata { meta in
      guard let items = try? MetadataItems(meta) else { return }
      for (key, text) in texts.sorted(by: { $0.key < $1.key }) where items.text(key) != nil {
        let changed =
          text.isEmpty
          ? try? MetadataItems.removing([key], from: meta)
          : try? MetadataItems.replacing(meta, key, with: text)
        meta = changed ?? meta
      }
    }
  }
}
