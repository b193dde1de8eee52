import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import TestSupport
import Testing
import Workflows

/// Tests of the edit sequence documented for PhotoKit, using only the public interface: fetch, request the input, read
/// the adjustment data, change it, save, commit, revert.
@Suite struct EditingSequenceTests {
  /// The halves of an asset from the fixtures.
  enum Halves: CaseIterable {
    case both, photo, movie

    var files: [String] {
      switch self {
      case .both: ["IMG_0001.JPG", "IMG_0001.MOV"]
      case .photo: ["IMG_0001.JPG"]
      case .movie: ["IMG_0001.MOV"]
      }
    }
    var renders: [String] { files.map { $0.replacingOccurrences(of: "IMG_", with: "IMG_E") } }
  }

  let folder: TemporaryFolder
  let library: PhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try PhotoLibrary(folder: folder.url, renderer: InProcessRenderer())
  }

  func put(_ halves: Halves) async throws -> Asset {
    for file in halves.files { try folder.copy(TestFiles.fixture(file)) }
    return try await library.asset(named: halves.files[0])
  }

  func expectUntouched(_ halves: Halves) throws {
    for file in halves.files {
      #expect(try Data(contentsOf: folder.file(file)) == Data(contentsOf: TestFiles.fixture(file)))
    }
  }

  func names() throws -> [String] { try folder.names().filter { $0 != ".liveedit" } }

  /// Returns the number of columns and rows of a file, read by exiftool.
  func size(_ name: String) throws -> [String] {
    let answer = try Tools.output("exiftool", "-s3", "-ImageWidth", "-ImageHeight", folder.file(name).path)
    return answer.lines
  }

  @Test(arguments: Halves.allCases) func ourOwnFormat(_ halves: Halves) async throws {
    let asset = try await put(halves)
    // Both fixtures are stored rotated by 90°.
    let upright = Array(try size(halves.files[0]).reversed())

    // Makes the first edit.
    var input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    #expect(input.adjustmentData == nil)
    #expect(input.baseVersion == 0)
    var context = LivePhotoEditingContext(input)
    context.edit = context.edit.turned(.right)
    var output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    #expect(try names().filter { !$0.hasPrefix(".") } == halves.files, "nothing shows before the commit")
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    #expect(
      Set(try names().filter { !$0.hasPrefix(".") }) == Set(halves.files + halves.renders + ["IMG_0001.AAE"]))
    #expect(try size(halves.renders[0]) == upright.reversed())

    // Resumes the edit: the base is the original, the data is available, and a 180° rotation is a single render of the
    // original.
    input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    #expect(input.adjustmentData?.decoded()?.edit == Edit(orientation: .right))
    #expect(input.baseVersion == 0)
    context = LivePhotoEditingContext(input)
    #expect(context.edit == Edit(orientation: .right))
    context.edit = context.edit.turned(.right)
    output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    #expect(try size(halves.renders[0]) == upright)
    try expectUntouched(halves)

    // Changes the edit until it is neutral.
    input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: .identity, settings: .standard)
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    #expect(try names().filter { !$0.hasPrefix(".") } == halves.files)

    // Switches back and forth between versions.
    try await library.performChanges { $0[asset].version = .number(1) }
    #expect(try size(halves.renders[0]) == upright.reversed())
    try await library.performChanges { $0[asset].revertAssetContentToOriginal() }
    #expect(try names().filter { !$0.hasPrefix(".") } == halves.files)
    try expectUntouched(halves)
  }

  @Test(arguments: Halves.allCases) func aForeignFormat(_ halves: Halves) async throws {
    let asset = try await put(halves)
    let mine = AdjustmentData(
      formatIdentifier: "com.example.negative", formatVersion: "2", data: Data([7, 0, 255]))
    let canHandle = { @Sendable (data: AdjustmentData) in data.formatIdentifier == "com.example.negative" }
    let negative = FrameProcessor.planes { frame in
      var planes = frame.planes
      for index in planes[0].samples.indices {
        planes[0].samples[index] = frame.largestSample - planes[0].samples[index]
      }
      return planes
    }

    // The program stores its own data.
    var input = try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
    var context = LivePhotoEditingContext(input)
    context.frameProcessor = negative
    var output = try ContentEditingOutput(input)
    // Data too large for .AAE and version.json files could not be read again.
    output.adjustmentData = AdjustmentData(
      formatIdentifier: mine.formatIdentifier, formatVersion: "2", data: Data(count: (8 << 20) + 1))
    let result = try await context.saveLivePhoto(to: output)
    #expect(Set([result.photo, result.movie].compactMap { $0 }) == [.encoded])
    let change = output
    let error = await #expect(throws: EditError.self) {
      try await library.performChanges { $0[asset].contentEditingOutput = change }
    }
    #expect(error?.problem.description == "cannot be changed: the adjustment data exceeds 8 MB")
    output.adjustmentData = mine
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    for (file, render) in zip(halves.files, halves.renders) {
      let (before, after) = (try await brightness(file), try await brightness(render))
      #expect(abs(before + after - 255) < 3, "\(file): \(before) became \(after)")
    }

    // The program gets the data back, together with the version to which it was applied.
    input = try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
    #expect(input.adjustmentData == mine)
    #expect(input.baseVersion == 0)
    let paths = [input.livePhoto.photoPath, input.livePhoto.moviePath].compactMap { $0 }
    #expect(paths == halves.files.map { folder.file($0).path })

    // Another program does not support the data and gets the current version.
    input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    #expect(input.adjustmentData == nil)
    #expect(input.baseVersion == 1)
    let current = [input.livePhoto.photoPath, input.livePhoto.moviePath].compactMap { $0 }
    #expect(current == halves.renders.map { folder.file($0).path })
    context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .down)
    output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    try await library.performChanges { $0[asset].contentEditingOutput = output }

    // Now the first program does not support the latest edit, and makes its own edit based on the result.
    input = try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
    #expect(input.adjustmentData == nil)
    #expect(input.baseVersion == 2)

    // After going one version back, the program's own edit is current again and can be resumed.
    try await library.performChanges { $0[asset].version = .previous }
    input = try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
    #expect(input.adjustmentData == mine)
    try await library.performChanges { $0[asset].revertAssetContentToOriginal() }
    input = try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
    #expect(input.adjustmentData == nil)
    #expect(input.baseVersion == 0)
    try expectUntouched(halves)
  }

  /// Returns the mean luma of a file's first picture, from 0 to 255, decoded by ffmpeg.
  func brightness(_ name: String) async throws -> Double {
    let answer = try Tools.output(
      "ffmpeg", "-v", "error", "-i", folder.file(name).path, "-frames:v", "1", "-vf", "extractplanes=y", "-f",
      "rawvideo", "-pix_fmt", "gray", "-")
    let sum = answer.standardOutput.reduce(0) { $0 + Int($1) }
    return Double(sum) / Double(max(answer.standardOutput.count, 1))
  }
}
