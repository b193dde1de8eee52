import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of pixel edits of damaged HEIC files, which cause an `EditError` and no file, or a photo that can be decoded.
@Suite struct HostileHEICRenderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func edit(_ bytes: [UInt8], format: RenderSettings.PhotoFormat) throws {
    let output = folder.file("out")
    try? FileManager.default.removeItem(at: output)
    var edit = Edit(orientation: .right)
    edit[.exposure] = 0.5
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 100_000, top: 200_000, width: 500_000, height: 500_000))
    let job = RenderJob(
      photo: .init(source: try folder.write(bytes, to: "in.heic").path, output: output.path), movie: nil,
      edit: edit, settings: RenderSettings(photoFormat: format),
      identifier: "00000000-0000-4000-8000-000000000000")
    do {
      _ = try render(job, progress: { _ in }, isCancelled: { false })
    } catch {
      return
    }
    let photo = try #require(try checkPictures(PictureCheckJob(photo: output.path)) { false }.photo)
    #expect(photo.outcome == .decoded)
  }

  @Test(arguments: [1, 2, 3]) func changedBytesOfTheBoxes(seed: Int) throws {
    let url = TestFiles.fixture("IMG_0004.HEIC")
    let bytes = [UInt8](try Data(contentsOf: url))
    let first = try #require(try WalkedHEIF.read(url).items.values.flatMap(\.places).map { $0[0] }.min())
    var generator = SeededGenerator(seed: UInt64(seed))
    for round in 0..<12 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let at = Int.random(in: 0..<min(first, bytes.count), using: &generator)
        damaged[at] = [0, 1, 0x7F, 0xFF].randomElement(using: &generator) ?? 0
      }
      try edit(damaged, format: round % 3 == 0 ? .jpeg : .same)
    }
  }

  @Test func changedBytesOfTilesAndGainMap() throws {
    let url = TestFiles.fixture("IMG_0004.HEIC")
    let bytes = [UInt8](try Data(contentsOf: url))
    let places = try WalkedHEIF.read(url).items.values.filter { $0.type == "hvc1" }.flatMap(\.places)
    var generator = SeededGenerator(seed: 4)
    for round in 0..<12 {
      var damaged = bytes
      for place in places where place[1] > 40 {
        for _ in 0..<3 {
          damaged[place[0] + Int.random(in: 0..<40, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        if round % 2 == 0 { break }
      }
      try edit(damaged, format: round % 3 == 0 ? .jpeg : .same)
    }
  }

  @Test func truncatedFiles() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    for cut in stride(from: 0, to: bytes.count, by: bytes.count / 12) {
      try edit(Array(bytes[..<cut]), format: .same)
    }
  }
}
