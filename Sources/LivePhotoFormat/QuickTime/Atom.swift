import Basics

/// An atom in memory (QuickTime File Format, “Atoms”; ISO/IEC 14496-12, section 4.2, “boxes”).
///
/// Only the container atoms that this project changes are parsed into child atoms. All other atoms keep their bytes
/// unchanged.
struct Atom: Hashable, Sendable {
  let kind: FourCC
  var content: Content

  enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// The child atoms, and the bytes after the last child. In old files, `udta` ends with a 32-bit zero.
    case children([Atom], tail: [UInt8])
  }

  init(_ kind: FourCC, _ bytes: [UInt8]) {
    self.kind = kind
    content = .bytes(bytes)
  }

  init(_ kind: FourCC, children: [Atom], tail: [UInt8] = []) {
    self.kind = kind
    content = .children(children, tail: tail)
  }

  /// Creates an atom that consists of 32-bit numbers, signed or unsigned. Only the low 32 bits of each number are
  /// stored.
  init(_ kind: FourCC, words: [Int]) {
    self.init(kind, [UInt8](words: words))
  }

  /// The kinds of atoms that are parsed into child atoms.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "tapt", "dinf",
  ]

  /// Reads the consecutive atoms that fill `bytes`.
  ///
  /// - Returns: The atoms, and any trailing bytes that do not form a valid atom.
  static func parseAll(_ bytes: ArraySlice<UInt8>, depth: Int = 0) throws -> (atoms: [Atom], tail: [UInt8]) {
    let deepest = ReadingLimit.nesting.value
    guard depth <= deepest else {
      throw MediaError(beyond: .nesting, "the atoms are nested more than \(deepest) levels deep")
    }
    var atoms: [Atom] = []
    var reader = BigEndianReader(bytes)
    while reader.remaining >= 8 {
      var peek = reader
      // In old files, zeros mark the end of the list.
      if try peek.uint64() == 0 { break }
      let place = try FileAtom(&reader, at: reader.offset, available: reader.remaining)
      guard place.size >= place.headerSize, place.contentSize <= reader.remaining else {
        throw MediaError("the atom “\(place.kind)” is larger than its parent atom")
      }
      let body = try reader.read(place.contentSize)
      if containers.contains(place.kind) {
        let inside = try parseAll(body, depth: depth + 1)
        atoms.append(Atom(place.kind, children: inside.atoms, tail: inside.tail))
      } else {
        atoms.append(Atom(place.kind, Array(body)))
      }
    }
    return (atoms, Array(bytes.suffix(reader.remaining)))
  }

  /// The atom's header and content, with the shortest possible header. The size always fits its field, because every
  /// serialised atom comes from a `moov` atom, whose size is limited to far less than 4 GiB.
  var serialized: [UInt8] {
    let content = bytes
    return [UInt8](words: [8 + content.count, Int(kind.rawValue)]) + content
  }

  /// Reads the entries of a table, which follow the version, the flags and the number of entries.
  ///
  /// - Parameter entrySize: The minimum number of bytes per entry.
  func entries<Entry>(
    size entrySize: Int, _ read: (inout BigEndianReader) throws -> Entry
  ) throws -> [Entry] {
    var reader = BigEndianReader(bytes)
    try reader.skip(4)
    return try (0..<reader.count(entrySize: entrySize)).map { _ in try read(&reader) }
  }

  /// The bytes after the header.
  var bytes: [UInt8] {
    get {
      switch content {
      case .bytes(let bytes): bytes
      case .children(let children, let tail): children.flatMap(\.serialized) + tail
      }
    }
    set { content = .bytes(newValue) }
  }

  /// Returns the atom with its content parsed into child atoms, regardless of its kind.
  func takenApart() throws -> Atom {
    guard case .bytes(let bytes) = content else { return self }
    let (children, tail) = try Self.parseAll(bytes[...])
    return Atom(kind, children: children, tail: tail)
  }

  /// The children of an atom whose content has been parsed into child atoms.
  ///
  /// - Throws: ``MediaError`` for any other atom, because the children of such an atom are unknown, not missing.
  var children: [Atom] {
    get throws {
      guard case .children(let children, _) = content else { throw notTakenApart }
      return children
    }
  }

  private var notTakenApart: MediaError {
    MediaError("the contents of the atom “\(kind)” were not parsed", isUnsupported: true)
  }

  /// Changes the children of an atom whose content has been parsed into child atoms. The bytes after the last child do
  /// not change.
  ///
  /// - Throws: ``MediaError`` for any other atom, or any error that `change` throws.
  mutating func changeChildren<Result>(_ change: (inout [Atom]) throws -> Result) throws -> Result {
    guard case .children(var children, let tail) = content else { throw notTakenApart }
    // Ensures that the list has a single owner, so that Swift does not copy the list.
    content = .bytes([])
    defer { content = .children(children, tail: tail) }
    return try change(&children)
  }

  /// Changes all children of a given kind.
  mutating func changeAll(_ kind: FourCC, _ change: (inout Atom) throws -> Void) throws {
    try changeChildren { children in
      for index in children.indices where children[index].kind == kind { try change(&children[index]) }
    }
  }

  /// Returns the first descendant at a path of atom kinds, or nil if no such descendant exists.
  func first(_ path: FourCC...) throws -> Atom? {
    var here = self
    for kind in path {
      guard let next = try here.children.first(where: { $0.kind == kind }) else { return nil }
      here = next
    }
    return here
  }

  /// Returns all children of a given kind.
  func all(_ kind: FourCC) throws -> [Atom] {
    try children.filter { $0.kind == kind }
  }

  /// Changes the first descendant at a path of atom kinds in place, or does nothing if no such descendant exists.
  mutating func update(_ path: FourCC..., change: (inout Atom) throws -> Void) throws {
    try update(path[...], change)
  }

  private mutating func update(_ path: ArraySlice<FourCC>, _ change: (inout Atom) throws -> Void) throws {
    guard let kind = path.first else { return try change(&self) }
    try changeChildren { children in
      guard let index = children.firstIndex(where: { $0.kind == kind }) else { return }
      try children[index].update(path.dropFirst(), change)
    }
  }

  /// Replaces the first child of the same kind as the new child, or appends the new child if no child of that kind
  /// exists.
  mutating func put(_ child: Atom) throws {
    try changeChildren { children in
      if let index = children.firstIndex(where: { $0.kind == child.kind }) {
        children[index] = child
      } else {
        children.append(child)
      }
    }
  }

  /// Removes all children of the given kinds.
  mutating func remove(_ kinds: Set<FourCC>) throws {
    try changeChildren { children in children.removeAll { kinds.contains($0.kind) } }
  }
}
