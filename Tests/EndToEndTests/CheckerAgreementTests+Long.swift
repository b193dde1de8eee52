import Foundation
import TestSupport
import Testing

/// Tests that `verify` agrees with the independent checker that the environment variable LIVEEDIT_CHECKER names: the
/// checker complains exactly if `verify` finds an error or a warning.
@Suite(.enabled(if: Checker.isThere))
struct CheckerAgreementTests {
  /// A single fault to introduce into a Live Photo.
  enum Fault: String, CaseIterable {
    case none, identifier, key, origin, stillTime, deadMedia, format, syncTable, pixels, thumbnail, frame

    func apply(to pair: PairFiles) throws {
      switch self {
      case .none: break
      case .identifier: try replace("7D3B2C10", "7D3B2C11", in: pair.movie)
      case .key: try replace("quicktime.content.identifier", "quicktime.content.identifieR", in: pair.movie)
      case .origin:
        // The matrix entries: 360 in 16.16 fixed point, followed by y's 0 and w's 1.
        try replace(
          [1, 0x68, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0], [4, 0x68, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0],
          in: pair.movie)
      case .stillTime:
        // The initial gap of 480 ticks in an edit list with two entries.
        try replace(
          [0, 0, 1, 0xE0, 255, 255, 255, 255], [0, 0, 5, 0xE0, 255, 255, 255, 255], in: pair.movie)
      case .deadMedia:
        var bytes = try Data(contentsOf: pair.movie)
        bytes += [0, 0, 0x80, 8] + Array("mdat".utf8) + [UInt8](repeating: 1, count: 0x8000)
        try bytes.write(to: pair.movie)
      case .format: try replace("avc1", "avc3", in: pair.movie)
      case .syncTable: try replace([0, 0, 0, 3, 0, 0, 0, 1], [0, 0, 0, 3, 0, 0, 0, 2], in: pair.movie)
      case .pixels:
        var bytes = try Data(contentsOf: pair.photo)
        bytes.removeLast(20_000)
        try bytes.write(to: pair.photo)
      case .thumbnail:
        let file = pair.photo.deletingLastPathComponent().appendingPathComponent("t.jpg")
        let image = try Tools.output("exiftool", "-b", "-ThumbnailImage", pair.photo.path).standardOutput
        try image.write(to: file)
        try Tools.output("jpegtran", "-rotate", "180", "-trim", file.path).standardOutput.write(to: file)
        _ = try Tools.output(
          "exiftool", "-overwrite_original", "-ThumbnailImage<=\(file.path)", pair.photo.path)
      case .frame:
        var bytes = try Data(contentsOf: pair.movie)
        bytes.replaceSubrange(20_000..<60_000, with: Data(repeating: 0x55, count: 40_000))
        try bytes.write(to: pair.movie)
      }
    }

    private func replace(_ old: String, _ new: String, in file: URL) throws {
      try replace(Array(old.utf8), Array(new.utf8), in: file)
    }

    /// Replaces the last occurrence of the bytes `old` in a file.
    private func replace(_ old: [UInt8], _ new: [UInt8], in file: URL) throws {
      var bytes = try Data(contentsOf: file)
      bytes.replaceSubrange(try #require(bytes.range(of: Data(old), options: .backwards)), with: new)
      try bytes.write(to: file)
    }
  }

  /// The checker and `verify` both find each fault. A quick run tries every fourth fault.
  @Test(arguments: Cases.chosen(Fault.allCases) { index, _ in index % 4 == 0 })
  func bothSeeTheFault(_ fault: Fault) throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      try fault.apply(to: pair)
      try expectAgreement(pair.photo, pair.movie, isSound: fault == .none)
    }
  }

  @Test(
    arguments: Cases.chosen([
      "iphone-6s-jpeg/IMG_0728", "iphone-6s-jpeg/IMG_E0728", "iphone-7plus-jpeg/IMG_2016",
    ]) { index, _ in index == 1 })
  func soundSamples(_ stem: String) throws {
    guard let photo = TestFiles.sample(stem + ".JPG"), let movie = TestFiles.sample(stem + ".MOV") else {
      return
    }
    try expectAgreement(photo, movie, isSound: true)
  }

  @Test(
    arguments: Cases.chosen([
      ("iphone-15plus-heic/IMG_3853", true), ("iphone-15pro-heic/IMG_3582", true),
      ("iphone-15pro-heic/IMG_E3582", false),
    ]) { index, _ in index > 0 })
  func heicSamples(_ stem: String, isSound: Bool) throws {
    guard let photo = TestFiles.sample(stem + ".HEIC"), let movie = TestFiles.sample(stem + ".MOV") else {
      return
    }
    // Photos gave the edited movie a matrix that moves the picture off its origin. The checker reports that as a fault.
    try expectAgreement(photo, movie, isSound: isSound, complaint: "  note")
  }

  @Test func aTurnThatExifDoesNotTellIsNamed() throws {
    let folder = try TemporaryFolder()
    let files = try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
    try expectAgreement(files[0], files[1], isSound: true)
    var bytes = try Data(contentsOf: files[0])
    let turn = try #require(bytes.firstRange(of: Data("irot".utf8))).upperBound
    bytes[turn] = 1
    try bytes.write(to: files[0])
    try expectAgreement(files[0], files[1], isSound: false)
  }

  @Test(arguments: ["broken/ids-differ/IMG_0001", "broken/photo-without-id/IMG_0002"])
  func brokenSamples(_ stem: String) throws {
    guard let photo = TestFiles.sample(stem + ".JPG"), let movie = TestFiles.sample(stem + ".MOV") else {
      return
    }
    try expectAgreement(photo, movie, isSound: false)
  }

  /// - Parameter complaint: The beginning of a `verify` line that counts as a complaint, in addition to errors and
  ///   warnings.
  private func expectAgreement(
    _ photo: URL, _ movie: URL, isSound: Bool, complaint: String? = nil
  ) throws {
    let theirs = try #require(try Checker.ask("-", "-", photo.path, movie.path, "--pair-only"))
    #expect((theirs.status == 0) == isSound, "\(theirs.text)")
    let ours = try Tools.run([Command.path, "verify", photo.path, movie.path])
    let complaints = ours.lines.filter { line in
      (["  error", "  warning"] + [complaint].compactMap(\.self)).contains { line.hasPrefix($0) }
    }
    #expect(complaints.isEmpty == isSound, "\(ours.text)")
    #expect(complaints.count <= 1, "\(ours.text)")
  }
}
