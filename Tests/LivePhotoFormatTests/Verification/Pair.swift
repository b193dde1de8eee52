import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// A fixture in memory, which the tests damage.
struct Pair {
  var photo: [UInt8]
  var movie: [UInt8]

  init(_ name: String, photoExtension: String = "JPG") throws {
    photo = [UInt8](try Data(contentsOf: TestFiles.fixture("\(name).\(photoExtension)")))
    movie = [UInt8](try Data(contentsOf: TestFiles.fixture(name + ".MOV")))
  }

  func verify(
    _ pictures: PictureCheck = PictureCheck(), fileExtension: String = "JPG"
  ) throws -> LivePhotoVerification {
    LivePhotoVerification(
      photo: try PhotoEvidence(reading: MemoryByteSource(photo), fileExtension: fileExtension),
      movie: try MovieEvidence(reading: MemoryByteSource(movie)), pictures: pictures)
  }

  /// Returns the violated rules.
  func rules(fileExtension: String = "JPG") throws -> [VerificationRule] {
    try verify(fileExtension: fileExtension).findings.map(\.rule)
  }

  mutating func replaceInMovie(_ old: String, _ new: String) throws {
    try replaceInMovie(Array(old.utf8), Array(new.utf8))
  }

  mutating func replaceInMovie(_ old: [UInt8], _ new: [UInt8]) throws {
    movie = try Self.replacing(old, new, in: movie)
  }

  mutating func replaceInPhoto(_ old: String, _ new: String) throws {
    try replaceInPhoto(Array(old.utf8), Array(new.utf8))
  }

  mutating func replaceInPhoto(_ old: [UInt8], _ new: [UInt8]) throws {
    photo = try Self.replacing(old, new, in: photo)
  }

  /// Replaces the last occurrence of some bytes with the same number of bytes.
  private static func replacing(_ old: [UInt8], _ new: [UInt8], in bytes: [UInt8]) throws -> [UInt8] {
    try #require(old.count == new.count)
    let range = try #require(Data(bytes).range(of: Data(old), options: .backwards))
    var bytes = bytes
    bytes.replaceSubrange(range, with: new)
    return bytes
  }

  /// Changes the `moov` atom, which is the last atom of the file.
  mutating func changeMovie(_ change: (inout Atom) throws -> Void) throws {
    let source = MemoryByteSource(movie)
    let place = try #require(try FileAtom.scan(source).last)
    try #require(place.kind == "moov")
    let (children, tail) = try Atom.parseAll(movie[place.contentOffset...])
    var moov = Atom("moov", children: children, tail: tail)
    try change(&moov)
    movie = Array(movie[..<place.offset]) + moov.serialized
  }

  /// Changes the track with a given number.
  mutating func changeTrack(_ number: UInt32, _ change: (inout Atom) throws -> Void) throws {
    try changeMovie { moov in
      try moov.changeAll("trak") { trak in
        let header = try TrackHeader(try #require(try trak.first("tkhd")))
        if header.trackID == number { try change(&trak) }
      }
    }
  }

  /// Returns the beginning of a clean aperture with this width.
  static func clap(_ width: UInt32) throws -> [UInt8] {
    var bytes = Array("clap".utf8)
    bytes.append(bigEndian: width)
    bytes.append(bigEndian: UInt32(1))
    return bytes
  }
}

extension Atom {
  /// Changes the nine numbers of a track's matrix.
  mutating func changeMatrix(_ change: (inout [Int32]) -> Void) throws {
    try update("tkhd") { tkhd in
      let header = try TrackHeader(tkhd)
      var entries = header.matrix.entries
      change(&entries)
      try TrackHeader.rewrite(
        &tkhd, matrix: TrackHeader.Matrix(entries: entries), width: header.width, height: header.height)
    }
  }
}
