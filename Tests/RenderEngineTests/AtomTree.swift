import Foundation
import TestSupport

/// A movie's atoms, parsed by the tests' own code to compare files and to create odd ones.
struct AtomTree: Equatable {
  var kind: String
  var bytes: [UInt8] = []
  var children: [AtomTree] = []

  private static let containers: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "tapt",
  ]

  static func read(_ file: URL) throws -> [AtomTree] {
    try read([UInt8](Data(contentsOf: file))[...])
  }

  static func read(_ bytes: ArraySlice<UInt8>) throws -> [AtomTree] {
    var atoms: [AtomTree] = []
    var rest = bytes
    while rest.count >= 8 {
      var (header, size) = (8, Int(number(rest.prefix(4))))
      if size == 1 { (header, size) = (16, Int(number(rest.dropFirst(8).prefix(8)))) }
      guard size >= header, size <= rest.count else { throw ToolFailure("no atom at \(rest.startIndex)") }
      let kind = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      let body = rest.prefix(size).dropFirst(header)
      if containers.contains(kind) {
        atoms.append(AtomTree(kind: kind, children: try read(body)))
      } else {
        atoms.append(AtomTree(kind: kind, bytes: Array(body)))
      }
      rest = rest.dropFirst(size)
    }
    return atoms
  }

  var serialized: [UInt8] {
    let body = children.isEmpty ? bytes : children.flatMap(\.serialized)
    return Self.big(UInt32(body.count + 8)) + Array(kind.utf8) + body
  }

  /// The first descendant on a path of atom types.
  subscript(_ path: String...) -> AtomTree? {
    path.reduce(self as AtomTree?) { here, kind in here?.children.first { $0.kind == kind } }
  }

  /// Changes the first descendant on a path.
  mutating func change(_ path: [String], _ body: (inout AtomTree) -> Void) {
    guard let kind = path.first else { return body(&self) }
    guard let index = children.firstIndex(where: { $0.kind == kind }) else { return }
    children[index].change(Array(path.dropFirst()), body)
  }

  /// Returns all atoms of the tree as paths with their bytes, except for some types.
  func leaves(without left: Set<String>, path: String = "") -> [String] {
    if left.contains(kind) { return [] }
    let here = path + "/" + kind
    return [children.isEmpty ? "\(here) \(bytes)" : here]
      + children.flatMap { $0.leaves(without: left, path: here) }
  }

  /// The media type of a track.
  var handler: String {
    self["mdia", "hdlr"].map { String(decoding: $0.bytes[8..<12], as: UTF8.self) } ?? ""
  }

  /// Returns the 4-byte entries of a sample table atom after a header.
  func numbers(after head: Int) -> [UInt32] {
    stride(from: head, to: bytes.count - 3, by: 4).map { UInt32(Self.number(bytes[$0..<$0 + 4])) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  static func big<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    stride(from: T.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> T($0)) }
  }
}

/// A movie file with its `moov` last, so that its atoms can be changed without moving any media.
struct MovieFile {
  var before: [UInt8]
  var moov: AtomTree
  var after: [UInt8] = []

  init(_ file: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: file))
    guard let moov = try AtomTree.read(bytes[...]).last, moov.kind == "moov" else {
      throw ToolFailure("\(file.lastPathComponent) does not end with its moov atom")
    }
    self.moov = moov
    before = bytes.dropLast(moov.serialized.count)
  }

  /// Changes an atom of the n-th track.
  mutating func track(_ index: Int, _ path: String..., change: (inout AtomTree) -> Void) {
    let places = moov.children.indices.filter { moov.children[$0].kind == "trak" }
    moov.children[places[index]].change(path, change)
  }

  mutating func tracks(_ path: String..., change: (inout AtomTree) -> Void) {
    for index in moov.children.indices where moov.children[index].kind == "trak" {
      moov.children[index].change(path, change)
    }
  }

  /// Changes the sample table of every track.
  mutating func tables(_ change: (inout AtomTree) -> Void) {
    tracks("mdia", "minf", "stbl", change: change)
  }

  func write(_ file: URL) throws {
    try Data(before + moov.serialized + after).write(to: file)
  }
}
