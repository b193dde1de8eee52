import Dispatch
import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

/// The targets of scripts/fuzz without its sanitizers: all inputs that were found once, and some mutations of the fixtures. A broken
/// promise ends the process, and so does an input that takes as long as scripts/fuzz lets none take.
@Suite(.serialized) struct FuzzingTests {
  private static let project = TestFiles.project

  /// Mutations of a target.
  private static let rounds = Cases.areAllRun ? 5000 : 150

  private static let findings = project.appending(path: "Tests/Fuzzing/Findings")

  /// The seconds in which an input must be done with.
  private static let seconds = 25

  /// Runs an input, and ends the process where that takes too long.
  private static func run(_ target: FuzzTarget, _ input: [UInt8]) {
    let end = DispatchWorkItem { fatalError("an input of \(target.name) takes more than \(seconds) s") }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: end)
    target.run(input)
    end.cancel()
  }

  /// Without them the next test would pass and try nothing.
  @Test func thereAreFindingsOfTargets() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.findings.path)
    #expect(!names.isEmpty)
    for name in names {
      #expect(FuzzTarget.named(name) != nil, "no target has the findings in \(name)")
      let files = try FileManager.default.contentsOfDirectory(atPath: Self.findings.path + "/" + name)
      #expect(!files.isEmpty, "\(name)")
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func findingsAreGone(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = Self.findings.appending(path: name)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    for file in files.sorted(by: { $0.path < $1.path }) {
      print(name, file.lastPathComponent)
      Self.run(target, Array(try Data(contentsOf: file)))
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func mutationsBreakNothing(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = target.seeds(below: ["Fixtures", "Presets"].map { Self.project.path + "/" + $0 })
    try #require(!seeds.isEmpty)
    var mutator = Mutator(seed: 27, words: target.words)
    for seed in seeds { Self.run(target, seed) }
    for round in 0..<Self.rounds {
      Self.run(target, mutator.mutated(seeds[round % seeds.count], with: seeds))
    }
  }

  @Test func aBrokenPromiseEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      FuzzTarget("broken", seeds: { _, _ in [] }) { input in expect(input.isEmpty, "there is a byte") }.run([
        1
      ])
    }
    await #expect(processExitsWith: .failure) {
      struct Stranger: Error {}
      FuzzTarget("strange", seeds: { _, _ in [] }) { _ in throw Stranger() }.run([])
    }
  }

  @Test func hollowFilesAreFiles() throws {
    let file = (0..<200).map { UInt8($0) }
    let input = try #require(HollowFile.input(file, without: 50..<120))
    let expected = Array(file[..<50]) + [UInt8](repeating: 0, count: 70) + Array(file[120...])
    let hollow = HollowFile(input)
    #expect(input.count == 138 && hollow.count == 200 && hollow.bytes == expected)
    for start in stride(from: 0, through: 200, by: 7) {
      for end in start...200 {
        #expect(try hollow.read(at: start, count: end - start) == Array(expected[start..<end]))
      }
    }
    #expect(throws: (any Error).self) { try hollow.read(at: 199, count: 2) }
  }
}
