import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

/// The targets of scripts/fuzz without its sanitizers: all inputs that were found once, and some mutations of the fixtures. A broken
/// promise ends the process.
@Suite(.serialized) struct FuzzingTests {
  private static let project = TestFiles.project

  /// Mutations of a target.
  private static let rounds = Cases.areAllRun ? 5000 : 150

  @Test(arguments: FuzzTarget.all.map(\.name)) func findingsAreGone(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = Self.project.appending(path: "Tests/Fuzzing/Findings/" + name)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    for file in files.sorted(by: { $0.path < $1.path }) {
      print(name, file.lastPathComponent)
      target.run(Array(try Data(contentsOf: file)))
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func mutationsBreakNothing(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = target.seeds(below: ["Fixtures", "Presets"].map { Self.project.path + "/" + $0 })
    try #require(!seeds.isEmpty)
    var mutator = Mutator(seed: 27, words: target.words)
    for seed in seeds { target.run(seed) }
    for round in 0..<Self.rounds { target.run(mutator.mutated(seeds[round % seeds.count], with: seeds)) }
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
