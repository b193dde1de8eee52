import Basics
import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import Synchronization
import TestSupport
import Testing
import Workflows

@Suite struct EditingContextTests {
  let originals = ["IMG_0001.JPG", "IMG_0001.MOV"]

  @Test func aPreviewIsSmallAndGoesAway() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    let seen = Seen()
    context.edit = Edit(orientation: .right)
    context.frameProcessor = .planes { frame in
      seen.add(frame)
      return frame.planes
    }
    do {
      let preview = try await context.prepareForPlayback(targetSize: .init(width: 100, height: 90))
      for (preview, original) in [(preview.photoPath, originals[0]), (preview.moviePath, originals[1])] {
        let path = try #require(preview)
        // The fixtures are stored rotated by 90°. After another 90° they are displayed upside down, relative to their
        // orientation flag.
        let full = try Tools.output(
          "exiftool", "-s3", "-ImageWidth", "-ImageHeight", api.folder.file(original).path
        )
        .lines.compactMap { Double($0) }
        let small = try Tools.output("exiftool", "-s3", "-ImageWidth", "-ImageHeight", path).lines
          .compactMap { Double($0) }
        #expect(small[0] <= 100 && small[1] <= 90 && small[0] > 80)
        #expect(abs(small[0] / small[1] - full[0] / full[1]) < 0.05)
        #expect(
          try Tools.output("ffmpeg", "-v", "error", "-i", path, "-f", "null", "-").standardError.isEmpty)
        let frame = try #require(
          seen.frames.last { ($0.context.half == .photo) == (original == originals[0]) })
        #expect(abs(frame.context.renderScale - small[0] / full[0]) < 0.001)
        #expect(frame.planes[0].width == Int(small[0]))
      }
      #expect(try api.names() != originals)
    }
    #expect(try api.names() == originals)
  }

  @Test func aTrimIsRenderedAndResumed() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    try context.edit.motion.setTrim(Trim(from: 0.4, to: 1.2))
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    let times = try Tools.ffprobe(
      api.folder.file("IMG_0001.MOV"), "-select_streams", "v", "-show_entries", "frame=pts_time"
    ).compactMap { Double($0.split(separator: ",")[0]) }
    let shown = try Tools.ffprobe(
      api.folder.file("IMG_E0001.MOV"), "-select_streams", "v", "-show_entries", "frame=pts_time")
    #expect(shown.count == times.count { $0 >= 0.3995 && $0 < 1.1995 } && shown.count > 10)
    try await api.turn()
    let again = try await api.input()
    #expect(try again.adjustmentData?.decoded()?.edit.motion.trim == Trim(from: 0.4, to: 1.2))
    context.edit.motion.isLiveOff = true
    let refused = await #expect(throws: EditError.self) {
      try await context.saveLivePhoto(to: ContentEditingOutput(input))
    }
    #expect(refused?.code == .unsupported && refused?.problem.contains("Live switched off") ?? false)
  }

  @Test func progressComesInPhases() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .right)
    let told = Mutex<[EditProgress]>([])
    try await context.saveLivePhoto(to: try ContentEditingOutput(input)) { progress in
      told.withLock { $0.append(progress) }
    }
    let all = told.withLock { $0 }
    #expect(all.first?.phase == .preparing)
    #expect(all.last?.phase == .checking)
    let fractions = all.filter { $0.phase == .rendering }.map(\.fraction)
    #expect(fractions.count > 10)
    #expect(fractions.allSatisfy { 0...1 ~= $0 })
  }

  @Test func silenceIsNamed() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    context.audioVolume = 0
    let output = try ContentEditingOutput(input)
    let result = try await context.saveLivePhoto(to: output)
    #expect(result.removals.contains { $0.name.hasPrefix("sound track") })
    context.audioVolume = 2
    let refused = await #expect(throws: EditError.self) { try await context.saveLivePhoto(to: output) }
    #expect(refused?.code == .invalidEdit)
  }

  @Test func anEditOfSomethingElseIsRefused() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .down)
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    try await api.turn()
    let turned = try Data(contentsOf: api.folder.file("IMG_E0001.JPG"))
    let refused = await #expect(throws: EditError.self) {
      try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    }
    #expect(refused?.code == .conflict)
    #expect(try Data(contentsOf: api.folder.file("IMG_E0001.JPG")) == turned)
  }

  @Test func anOutputWithoutDataOrFilesIsRefused() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let output = try ContentEditingOutput(input)
    var refused = await #expect(throws: EditError.self) {
      try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    }
    #expect(refused?.code == .invalidEdit)
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example", formatVersion: "1", data: Data([1]))
    refused = await #expect(throws: EditError.self) {
      try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    }
    #expect(refused?.code == .notFound)
  }

  @Test func aProgramMayWriteTheFilesItself() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG"])
    let input = try await api.input()
    let output = try ContentEditingOutput(input)
    let path = try #require(output.renderedPhoto).path
    try Tools.output(
      "jpegtran", "-copy", "all", "-flip", "vertical", "-outfile", path, input.livePhoto.photoPath ?? "")
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example.flip", formatVersion: "1", data: Data())
    try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    #expect(
      try Data(contentsOf: api.folder.file("IMG_E0001.JPG")) == Data(contentsOf: URL(fileURLWithPath: path)))
    let again = try await api.input { $0.formatIdentifier == "com.example.flip" }
    #expect(again.adjustmentData == output.adjustmentData)
    #expect(again.livePhoto.photoPath == api.folder.file("IMG_0001.JPG").path)
  }

  @Test func allAssetsOfABlockChangeOrNone() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV"])
    var outputs: [(Asset, ContentEditingOutput)] = []
    for name in ["IMG_0001.JPG", "IMG_0002.JPG"] {
      let input = try await api.input(name)
      let context = LivePhotoEditingContext(input)
      context.edit = Edit(orientation: .right)
      let output = try ContentEditingOutput(input)
      output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
      try await context.saveLivePhoto(to: output)
      outputs.append((input.asset, output))
    }
    let good = outputs[1].1.adjustmentData
    outputs[1].1.adjustmentData = nil
    let before = try api.names().filter { !$0.hasPrefix(".") }
    let block = { @Sendable [outputs] (changes: inout AssetChanges) in
      for (asset, output) in outputs {
        changes[asset].contentEditingOutput = output
        changes[asset].isFavourite = true
      }
    }
    await #expect(throws: EditError.self) { try await api.library.performChanges(block) }
    #expect(try api.names().filter { !$0.hasPrefix(".") } == before)
    #expect(try await api.library.asset(named: "IMG_0001.JPG").isFavourite == false)
    outputs[1].1.adjustmentData = good
    try await api.library.performChanges(block)
    #expect(try api.names().filter { $0.hasPrefix("IMG_E") }.count == 4)
    #expect(try await api.library.asset(named: "IMG_0002.JPG").isFavourite)
  }

  /// A request from a task that is already cancelled ends at once and changes nothing.
  @Test func nothingBeginsAfterACancellation() async throws {
    let api = try APIFolder()
    let asset = try await api.library.asset(named: "IMG_0001.JPG")
    let input = try await api.input()
    let output = try ContentEditingOutput(input)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for attempt in 0..<4 {
        let stopped = await #expect(throws: EditError.self) {
          switch attempt {
          case 0: _ = try await api.library.requestContentEditingInput(for: asset) { _ in true }
          case 1: try await LivePhotoEditingContext(input).saveLivePhoto(to: output)
          case 2: try await api.library.performChanges { $0[asset].isFavourite = true }
          default: _ = try await api.library.fetchAssets()
          }
        }
        #expect(stopped?.code == .cancelled)
      }
    }
    await task.value
    #expect(try await api.library.asset(named: "IMG_0001.JPG").isFavourite == false)
  }

  /// Starts more simultaneous renders than Swift's own thread pool has threads. Each render waits for all others.
  @Test func whatBlocksHasThreadsOfItsOwn() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount + 3
    let api = try APIFolder(files: ["IMG_0001.JPG"])
    let arrivals = Arrivals(count)
    try await withThrowingTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          try await api.save { frame in
            try arrivals.arrive()
            return frame.planes
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A barrier that holds threads until the expected number has arrived.
private final class Arrivals: Sendable {
  private let expected: Int
  private let come = Mutex(0)

  init(_ expected: Int) { self.expected = expected }

  func arrive() throws {
    come.withLock { $0 += 1 }
    // A time limit turns a hang into a failure.
    for _ in 0..<60_000 {
      if come.withLock({ $0 >= expected }) { return }
      usleep(1000)
    }
    throw ToolFailure("the others do not come")
  }
}
