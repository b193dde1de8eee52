import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of depth that Google's directories list after a JPEG, written by scripts/fixtures/dynamic_depth.py.
/// listed_items.py in that folder finds the depth, map_error.py compares it with slow edits, and exiftool reads the
/// camera data.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct DynamicDepthTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func ask(_ script: String, _ arguments: [String]) throws -> [[String]] {
    let path = TestFiles.project.appendingPathComponent("scripts/fixtures/\(script)").path
    let answer = try Tools.run(["python3", path] + arguments)
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return answer.lines.map { $0.split(separator: " ").map(String.init) }
  }

  func photo(_ options: String) throws -> URL {
    let file = folder.file("photo.jpg")
    _ = try ask("dynamic_depth.py", [file.path] + options.split(separator: " ").map(String.init))
    return file
  }

  func rendered(
    _ edit: Edit, _ photo: URL, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(photo, edit, settings, as: "out.jpg")
  }

  func likeness(_ old: URL, _ new: URL, _ options: String) throws -> [String: Double] {
    let lines = try ask(
      "map_error.py", [old.path, new.path] + options.split(separator: " ").map(String.init))
    return Dictionary(
      lines.compactMap { line in line.count == 5 ? Double(line[3]).map { (line[0], $0) } : nil },
      uniquingKeysWith: { $1 })
  }

  /// An item listed by a directory.
  struct Item: Hashable {
    let directory: String
    let kind: String
    let bytes: Data
  }

  /// Returns the items that the directories list. Each directory must cover the data from the end of the picture, or of
  /// a gain map that it does not list, to the end of the file, and each item must begin with the expected bytes.
  func items(_ photo: URL, isMotion: Bool = false) throws -> [Item] {
    let lines = try ask("listed_items.py", [photo.path])
    let file = try Data(contentsOf: photo)
    let items = try lines.dropLast().map { line -> Item in
      let (start, count) = (try #require(Int(line[3])), try #require(Int(line[4])))
      try #require(start + count <= file.count)
      let bytes = file[start..<start + count]
      let isVideo = line[2] == "video/mp4"
      if !isVideo {
        let head: [UInt8] = line[2] == "image/png" ? [0x89, 0x50, 0x4E, 0x47] : [0xFF, 0xD8, 0xFF]
        #expect(bytes.starts(with: head), "\(line)")
        if line[2] == "image/jpeg" { #expect(bytes.suffix(2).elementsEqual([0xFF, 0xD9]), "\(line)") }
      } else {
        #expect(bytes.dropFirst(4).starts(with: "ftyp".utf8))
      }
      return Item(directory: line[0], kind: line[1], bytes: Data(bytes))
    }
    for directory in Set(items.map(\.directory)) where directory == "Container" || !isMotion {
      let last = lines.dropLast().last { $0[0] == directory }
      #expect(last.flatMap { Int($0[3]) }.map { $0 + (Int(last?[4] ?? "") ?? 0) } == file.count)
    }
    return items
  }

  func tags(_ photo: URL) throws -> [String: String] {
    let answer = try Tools.output("exiftool", "-a", "-n", "-G1", "-s", "-XMP:all", "-Warning", photo.path)
    return Dictionary(
      answer.lines.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let name = parts[0].split(whereSeparator: { " []".contains($0) }).joined(separator: ":")
        return (name, parts[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $1 })
  }

  static let kinds = [
    "", "--mime image/png --deep --orientation 6 --core --pixels",
    "--directory --gain-map --original --extended",
    "--directory --gain-map --unlisted --core --orientation 3",
    "--extended --core --original --mime image/png",
  ]

  /// Returns a camera tag. exiftool uses two names for it, depending on the form of the XMP.
  func tag(_ name: String, _ tags: [String: String]) throws -> String {
    try #require(tags["XMP-Device:Camera" + name] ?? tags["XMP-Device:" + name], "\(name)")
  }

  /// If the Dynamic Depth directory omits the gain map, its items are identified by their equal lengths in the other
  /// directory.
  @Test func itemsAreFoundByTheirLengths() throws {
    let old = try photo("--directory --gain-map --unlisted --unpadded")
    let (result, new) = try rendered(Edit(orientation: .right), old)
    #expect(Set(result.removals.map(\.name)) == ["Pose:Rotation", "ImagingModel:Distortion"])
    let found = try likeness(old, new, "--turn 90").filter { $0.key.hasPrefix("Container") }
    #expect(found.keys.sorted() == ["ContainerConfidence", "ContainerDepth"])
    for (name, decibels) in found { #expect(decibels > 40, "\(name): \(decibels) dB") }
    let lines = try ask("listed_items.py", [new.path])
    func lengths(_ directory: String) -> [String] {
      lines.filter { $0[0] == directory && $0[1] != "GainMap" }.map { $0[4] }
    }
    #expect(lengths("Device") == lengths("Container") && lengths("Device").count == 2)
  }

  /// Tests a rotation of the samples themselves.
  @Test(
    arguments: ["--directory --gain-map", "--mime image/png --deep --core", "--size 240x176 --extended"],
    [false, true])
  func turnsWithoutLoss(_ kind: String, isLossless: Bool) throws {
    let old = try photo(kind)
    let (result, new) = try rendered(Edit(orientation: .left), old, RenderSettings(isLossless: isLossless))
    #expect(result.photo == .lossless)
    let depth = try [old, new].map { try #require(items($0).first { $0.kind == "Depth" }).bytes }
    let samples = try zip(depth, [270, 0]).map { bytes, turn in
      try Tools.run(
        ["convert", "-", "-rotate", "\(turn)", "gray:-"], input: bytes
      )
      .standardOutput
    }
    try #require(samples[0].count >= 240 * 176 && samples[0].count == samples[1].count)
    // The JPEG coefficients are equal, but their decoded values may be rounded differently.
    #expect(
      zip(samples[0], samples[1]).allSatisfy { abs(Int($0) - Int($1)) <= (kind.contains("png") ? 0 : 2) })
  }

  /// A light edit keeps depth unchanged, and removes the previous photo together with all references to it.
  @Test(arguments: kinds) func coloursLeaveDepthAlone(_ kind: String) throws {
    var edit = Edit.identity
    edit[.exposure] = 0.4
    let options = kind.replacingOccurrences(of: #"--orientation \d"#, with: "", options: .regularExpression)
    let old = try photo(options)
    let (result, new) = try rendered(edit, old)
    #expect(result.removals.map(\.name) == (kind.contains("--original") ? ["Original"] : []))
    let (before, after) = (try items(old), try items(new))
    #expect(after == before.filter { $0.kind != "Original" })
    let (was, tags) = (try tags(old), try tags(new))
    #expect(!tags.values.contains { $0.contains("original_image") || $0 == "Original" })
    for name in [
      "ImagingModelFocalLengthX", "ImagingModelPrincipalPointX", "PoseRotationW", "ImagingModelDistortion",
    ] {
      #expect(try tag(name, tags) == tag(name, was))
    }
  }

  /// If the depth map has another shape than the picture, its alignment is unknown. The map and all its metadata are
  /// removed.
  @Test(arguments: ["--size 176x240", "--size 176x240 --extended --directory --gain-map"])
  func depthOfAnotherShapeIsNamed(_ kind: String) throws {
    let (result, output) = try rendered(Edit(orientation: .right), photo(kind))
    let hasGainMap = kind.contains("--gain-map")
    #expect(Set(result.removals.map(\.name)) == ["Depth", "Confidence", "Device"])
    let tags = try tags(output)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-Device") } && tags["XMP-dc:Source"] == "kept")
    #expect(try items(output).map(\.kind) == (hasGainMap ? ["GainMap"] : []))
    let end = try Data(contentsOf: output).suffix(2)
    #expect(end.elementsEqual([0xFF, 0xD9]))
  }

  /// A confidence map that cannot be decoded is removed alone, together with its URI.
  @Test func damagedConfidenceIsNamed() throws {
    let old = try photo("--directory")
    var bytes = try Data(contentsOf: old)
    let confidence = try #require(items(old).last).bytes
    let start = bytes.count - confidence.count
    // The precision in the frame header becomes 16 bits.
    let frame = try #require(bytes.range(of: Data([0xFF, 0xC0, 0, 11, 8]), in: start..<bytes.count))
    bytes[frame.upperBound - 1] = 16
    try bytes.write(to: old)
    let (result, output) = try rendered(Edit(orientation: .right), old)
    #expect(Set(result.removals.map(\.name)) == ["Confidence", "Pose:Rotation", "ImagingModel:Distortion"])
    #expect(try items(output).map(\.kind) == ["Depth", "Depth"])
    #expect(try !tags(output).values.contains { $0.contains("confidencemap") })
  }

  /// The movie remains after the pictures, where the directory states.
  @Test(arguments: ["", "--gain-map --original", "--extended --core --mime image/png"])
  func motionPhotosKeepTheirDepth(_ kind: String) throws {
    let movie = TestFiles.fixture("IMG_0001.MOV")
    let plain = folder.file("movie.mp4")
    _ = try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v:0", "-c", "copy", "-f", "mp4", plain.path)
    let old = try photo(kind + " --movie \(plain.path)")
    var edit = Edit.identity
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 120_000, top: 100_000, width: 710_000, height: 630_000))
    let (result, new) = try rendered(edit, old)
    #expect(!result.removals.map(\.name).contains("Depth"))
    let listed = try items(new, isMotion: true)
    let wanted = (kind.contains("--gain-map") ? ["GainMap"] : []) + ["Depth", "Confidence"]
    #expect(listed.filter { $0.directory == "Container" }.map(\.kind) == wanted + ["MotionPhoto"])
    #expect(listed.filter { $0.directory == "Device" }.map(\.kind) == wanted)
    for (name, decibels) in try likeness(old, new, "--rect 0.12,0.1,0.71,0.63") {
      #expect(decibels > 40, "\(name): \(decibels) dB")
    }
  }

  /// A photo that becomes a HEIC loses its depth, and this is reported.
  @Test func heicNamesIt() throws {
    let old = try photo("--directory --original")
    let output = folder.file("out.heic")
    let job = RenderJob(
      photo: .init(source: old.path, output: output.path), movie: nil, edit: .identity,
      settings: RenderSettings(photoFormat: .heic), identifier: nil)
    let result = try render(job, progress: { _ in }, isCancelled: { false })
    #expect(Set(result.removals.map(\.name)) == ["GContainer", "Depth", "Confidence", "Original", "Device"])
    #expect(try !tags(output).keys.contains { $0.hasPrefix("XMP-Device") || $0.hasPrefix("XMP-Container") })
  }
}
