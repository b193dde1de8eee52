import Dispatch
import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

/// Runs the targets of Tests/Long/damage/fuzz without its sanitizers, with all earlier findings and some mutations of
/// the fixtures. A violated condition ends the process. An input may not exceed the time limit of
/// Tests/Long/damage/fuzz, nor may a finding exceed its memory limit.
@Suite(.serialized) struct FuzzingTests {
  private static let project = TestFiles.project

  /// The number of mutations per target.
  private static let rounds = Cases.areAllRun ? 5000 : 40

  private static let findings = project.appending(path: "Tests/Fuzzing/Findings")

  /// The processor time limit for an input in seconds.
  private static let seconds = 25.0

  /// Runs an input, which must not take too long. An input that hangs ends the process after a time that no input
  /// needs, even on busy machines or with sanitizers.
  private static func run(_ target: FuzzTarget, _ input: [UInt8]) {
    let end = DispatchWorkItem { fatalError("an input of \(target.name) hangs") }
    DispatchQueue.global().asyncAfter(deadline: .now() + 12 * seconds, execute: end)
    let start = threadSeconds
    target.run(input)
    end.cancel()
    let used = threadSeconds - start
    #expect(used <= seconds, "an input of \(target.name) takes \(used) s")
  }

  /// The processor time that the thread has used.
  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Without findings, the next test would pass without trying anything.
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
    for (file, input) in try Self.findings(of: target) {
      print(name, file)
      Self.run(target, input)
    }
  }

  /// Returns the inputs found earlier, by file name.
  private static func findings(of target: FuzzTarget) throws -> [(file: String, input: [UInt8])] {
    let folder = findings.appending(path: target.name)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return try files.sorted { $0.path < $1.path }.map {
      ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
    }
  }

  /// Earlier findings stay within the memory limit of Tests/Long/damage/fuzz. They run in a separate process, so that
  /// other tests' memory does not count.
  @Test(.enabled(if: Tools.canLimit)) func findingsTakeNoMoreMemory() async {
    await #expect(processExitsWith: .success) {
      for target in FuzzTarget.all {
        for (file, input) in try FuzzingTests.findings(of: target) {
          print(target.name, file)
          try FuzzingTests.limitMemory(to: target.memory(of: input))
          target.run(input)
        }
      }
    }
    await #expect(processExitsWith: .success) { try FuzzingTests.take(megabytes: 48) }
    await #expect(processExitsWith: .failure) { try FuzzingTests.take(megabytes: 80) }
  }

  /// Runs an input that uses this much memory, with the 64 MB limit of Tests/Long/damage/fuzz.
  private static func take(megabytes: UInt8) throws {
    let greedy = FuzzTarget("greedy", seeds: { _, _ in [] }) { input in
      expect([UInt8](repeating: 1, count: Int(input[0]) << 20).last == 1, "there is no memory")
    }
    try limitMemory(to: greedy.memory(of: [megabytes]))
    greedy.run([megabytes])
  }

  /// The memory in kilobytes that this process used when the value was first read.
  private static let memoryBefore: UInt? = {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmData:") }
    return line?.split(whereSeparator: \.isWhitespace).lazy.compactMap { UInt($0) }.first
  }()

  /// Lets this process use a number of bytes of memory in addition to its initial memory. If it needs more, it ends.
  private static func limitMemory(to bytes: Int) throws {
    let kilobytes = try #require(memoryBefore)
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    try #require(getrlimit(kind, &limit) == 0)
    limit.rlim_cur = kilobytes << 10 + UInt(bytes)
    try #require(setrlimit(kind, &limit) == 0)
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
