import Basics

/// An atom in memory: QuickTime File Format, “Atoms”; ISO/IEC 14496-12, section 4.2 (“boxes”).
///
/// Atoms that hold atoms are taken apart as far as this project changes them; all others keep their
/// bytes as they are.
struct Atom: Hashable, Sendable {
  let kind: FourCC
  var content: Content

  enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// Child atoms, and what follows the last one (`udta` ends with a zero word in old files).
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

  /// An atom of 32-bit numbers, signed or not; of wider ones the low bits.
  init(_ kind: FourCC, words: [Int]) {
    self.init(kind, [UInt8](words: words))
  }

  /// The atoms that are taken apart.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "tapt", "dinf",
  ]

  /// Reads a run of atoms that fills `bytes`.
  ///
  /// - Returns: the atoms and the bytes after them that are too few or too odd to be an atom.
  static func parseAll(_ bytes: ArraySlice<UInt8>, depth: Int = 0) throws -> (atoms: [Atom], tail: [UInt8]) {
    let deepest = ReadingLimit.nesting.value
    guard depth <= deepest else {
      throw MediaError(beyond: .nesting, "its atoms are nested deeper than \(deepest) levels")
    }
    var atoms: [Atom] = []
    var reader = BigEndianReader(bytes)
    while reader.remaining >= 8 {
      var peek = reader
      // A zero word ends the list in old files.
      if try peek.uint64() == 0 { break }
      let place = try FileAtom(&reader, at: reader.offset, available: reader.remaining)
      guard place.size >= place.headerSize, place.contentSize <= reader.remaining else {
        throw MediaError("its atom “\(place.kind)” is larger than the atom around it")
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

  /// The atom with its header, in as few bytes as it needs. Its size fits: everything that is serialised came out of a
  /// moov atom, whose size is bounded far below 4 GiB.
  var serialized: [UInt8] {
    let content = bytes
    return [UInt8](words: [8 + content.count, Int(kind.rawValue)]) + content
  }

  /// The entries of a table: behind version, flags and their number.
  ///
  /// - Parameter entrySize: bytes an entry, at least.
  func entries<Entry>(
    size entrySize: Int, _ read: (inout BigEndianReader) throws -> Entry
  ) throws -> [Entry] {
    var reader = BigEndianReader(bytes)
    try reader.skip(4)
    return try (0..<reader.count(entrySize: entrySize)).map { _ in try read(&reader) }
  }

  /// The bytes behind the header.
  var bytes: [UInt8] {
    get {
      switch content {
      case .bytes(let bytes): bytes
      case .children(let children, let tail): children.flatMap(\.serialized) + tail
      }
    }
    set { content = .bytes(newValue) }
  }

  /// The atom with its content taken apart into atoms, whatever its kind.
  func takenApart() throws -> Atom {
    guard case .bytes(let bytes) = content else { return self }
    let (children, tail) = try Self.parseAll(bytes[...])
    return Atom(kind, children: children, tail: tail)
  }

  /// The children of an atom that was taken apart.
  ///
  /// - Throws: ``MediaError`` for any other atom: that its children are not known must not look as if it had none.
  var children: [Atom] {
    get throws {
      guard case .children(let children, _) = content else { throw notTakenApart }
      return children
    }
  }

  private var notTakenApart: MediaError {
    MediaError("its atom “\(kind)” was not taken apart", isUnsupported: true)
  }

  /// Changes the children of an atom that was taken apart; what follows the last one stays.
  ///
  /// - Throws: ``MediaError`` for any other atom; what `change` throws.
  mutating func changeChildren<Result>(_ change: (inout [Atom]) throws -> Result) throws -> Result {
    guard case .children(var children, let tail) = content else { throw notTakenApart }
    // One owner at a time, so that no list is copied.
    content = .bytes([])
    defer { content = .children(children, tail: tail) }
    return try change(&children)
  }

  /// Changes all children of a kind.
  mutating func changeAll(_ kind: FourCC, _ change: (inout Atom) throws -> Void) throws {
    try changeChildren { children in
      for index in children.indices where children[index].kind == kind { try change(&children[index]) }
    }
  }

  /// The first descendant on a path of kinds.
  func first(_ path: FourCC...) throws -> Atom? {
    var here = self
    for kind in path {
      guard let next = try here.children.first(where: { $0.kind == kind }) else { return nil }
      here = next
    }
    return here
  }

  /// All children of a kind.
  func all(_ kind: FourCC) throws -> [Atom] {
    try children.filter { $0.kind == kind }
  }

  /// Changes the first descendant on a path in place; does nothing where there is none.
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

  /// Replaces the first child of the new one's kind, or appends it.
  mutating func put(_ child: Atom) throws {
    try changeChildren { children in
      if let index = children.firstIndex(where: { $0.kind == child.kind }) {
        children[index] = child
      } else {
        children.append(child)
      }
    }
  }

  /// Removes all children of some kinds.
  mutating func remove(_ kinds: Set<FourCC>) throws {
    try changeChildren { children in children.removeAll { kinds.contains($0.kind) } }
  }
}
