import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

/// Tests of presets with the independent checker that LIVEEDIT_CHECKER names, if any: the colours of the photo and of
/// every frame change, and everything else stays the same. A quick run uses two presets.
@Suite(.enabled(if: Checker.isThere))
struct PresetCheckTests {
  static let presets = Cases.chosen((try? PresetLibrary.builtIn().map(\.name)) ?? []) { _, name in
    ["faded", "mono"].contains(name)
  }

  /// Each preset with the fixtures and with alternate camera pairs. IMG_0002 is left out: rendering its pixels upright
  /// changes timed metadata, which the checker allows only for rotations. A quick run uses one fixture per preset.
  static let cases: [(preset: String, stem: URL)] = {
    let fixtures = [Fixture.portrait, .landscape].map { TestFiles.fixture($0.rawValue) }
    let cameras = ["iphone-6s-jpeg/IMG_0728", "iphone-7plus-jpeg/IMG_2016"].compactMap {
      TestFiles.sample($0 + ".JPG")?.deletingPathExtension()
    }
    return presets.enumerated().flatMap { index, preset -> [(preset: String, stem: URL)] in
      let camera = cameras.isEmpty ? [] : [cameras[index % cameras.count]]
      return Cases.chosen(fixtures + camera) { column, _ in column == index }.map {
        (preset: preset, stem: $0)
      }
    }
  }()

  @Test(arguments: cases)
  func everyFrameChangesAndAllElseStays(_ preset: String, _ stem: URL) throws {
    try withTemporaryFolder { folder in
      // The originals are in a separate folder, so that no render beside them is edited instead.
      let originals = folder.appendingPathComponent("originals")
      try FileManager.default.createDirectory(at: originals, withIntermediateDirectories: false)
      var sources: [String] = []
      for ending in [".JPG", ".MOV"] {
        let copy = originals.appendingPathComponent(stem.lastPathComponent + ending)
        try FileManager.default.copyItem(atPath: stem.path + ending, toPath: copy.path)
        sources.append(copy.path)
      }
      let name = "IMG_E" + stem.lastPathComponent.dropFirst(4)
      let output = try Command.run("apply", "--preset", preset, "-o", folder.path, sources[0], in: folder)
      #expect(output.status == 0, "\(output.standardError)")
      let report = folder.appendingPathComponent("report")
      try output.standardOutput.write(to: report)
      let rendered = [".JPG", ".MOV"].map { folder.appendingPathComponent(name + $0).path }
      let answer = try #require(
        try Checker.ask(sources + rendered + ["--changed", "--report", report.path]))
      #expect(answer.status == 0, "\(answer.lines.filter { $0.hasPrefix("FAIL") })")
    }
  }
}
