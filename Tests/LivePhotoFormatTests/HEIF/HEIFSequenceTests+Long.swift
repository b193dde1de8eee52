import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension HEIFSequenceTests {
  /// Every kind with every rotation, or in a quick run every rotation with one of the kinds.
  static let turns: [(kind: Kind, turn: Orientation)] = Kind.allCases.enumerated().flatMap { row, kind in
    Cases.chosen(Orientation.allCases) { column, _ in (row + column) % 2 == 0 }.map { (kind, $0) }
  }

  /// Returns the frames of the first track as displayed by ffmpeg.
  private func frames(_ file: URL, _ options: [String]) throws -> [String] {
    let before = options.isEmpty ? [] : ["-noautorotate"]
    let answer = try Tools.run(
      ["ffmpeg", "-v", "error"] + before + ["-i", file.path, "-map", "0:v:0"] + options
        + ["-f", "framemd5", "-"])
    return answer.text.split(separator: "\n").filter { !$0.hasPrefix("#") || $0.hasPrefix("#dimensions") }
      .map(String.init)
  }

  /// Returns the coded samples of all tracks, which ffprobe finds with the sample tables.
  private func packets(_ file: URL) throws -> String {
    try Tools.run(
      ["ffprobe", "-v", "error", "-show_packets", "-show_data_hash", "md5"]
        + ["-show_entries", "packet=stream_index,pts,duration,data_hash", "-of", "csv", file.path]
    ).text
  }

  private static let filters: [Orientation: String] = [
    .up: "null", .upMirrored: "hflip", .down: "hflip,vflip", .downMirrored: "vflip",
    .leftMirrored: "transpose=cclock_flip", .right: "transpose=clock", .rightMirrored: "transpose=clock_flip",
    .left: "transpose=cclock",
  ]

  /// ffmpeg displays the frames as rotated by its own filters, and finds unchanged samples.
  @Test(arguments: turns)
  func tracksTurn(kind: Kind, turn: Orientation) throws {
    let bytes = try made(kind)
    let old = try folder.write(bytes, to: "old.heic")
    // The identifier is longer than the existing one, so Exif grows and all later data moves.
    let identifier = kind == .heic ? "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0-AND-MORE" : nil
    let output = try turned(bytes, turn, identifier: identifier)
    let new = try folder.write(output, to: "new.heic")
    #expect(output.count > bytes.count || kind == .avif && turn == .up)

    let shown = try frames(new, [])
    #expect(shown.count == 6)
    #expect(shown == (try frames(old, ["-vf", Self.filters[turn] ?? "null"])))
    let samples = try packets(old)
    #expect(samples.split(separator: "\n").count == (kind == .heic ? 10 : 5))
    #expect(samples == (try packets(new)))
    let tags = try Tools.exiftool(new)
    if kind == .heic { #expect(tags["Track1:MatrixStructure"] == tags["Track2:MatrixStructure"]) }

    // The items rotate like those of a photo without tracks, and keep their data.
    let (before, after) = (try WalkedHEIF.read(old), try WalkedHEIF.read(new))
    for (number, item) in before.items where item.type != "Exif" && item.contentType == nil {
      #expect(after.items[number]?.sha == item.sha)
    }
    let file = try HEIFFile(Photo(MemoryByteSource(output)))
    let tracks = try #require(try file.sequence()).tracks
    #expect(tracks.allSatisfy { $0.header.matrix.orientation == turn })
    let first = try HEIFFile(Photo(MemoryByteSource(bytes))).photoOrientation
    #expect(file.photoOrientation == first.then(turn))
    #expect(!(try file.findings()).contains { [.itemData, .auxiliaryPictures].contains($0.rule) })
    let back = try folder.write(turned(output, turn.inverse), to: "back.heic")
    #expect(try frames(back, []) == frames(old, ["-vf", "null"]))
  }
}
