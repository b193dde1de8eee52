import Dispatch
import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

/// The targets of Tests/Long/damage/fuzz without its sanitizers: all inputs that were found once, and some mutations of the fixtures. A broken
/// promise ends the process; an input may not take longer than Tests/Long/damage/fuzz lets it, nor one that was found once more memory.
@Suite(.serialized) struct FuzzingTests {
  private static let project = TestFiles.project

  /// Mutations of a target.
  private static let rounds = Cases.areAllRun ? 5000 : 40

  private static let findings = project.appending(path: "Tests/Fuzzing/Findings")

  /// The seconds of the processor in which an input must be done with.
  private static let seconds = 25.0

  /// Runs an input, which must not take too long. One that hangs ends the process, after a time that busy machines and sanitizers need
  /// for none.
  private static func run(_ target: FuzzTarget, _ input: [UInt8]) {
    let end = DispatchWorkItem { fatalError("an input of \(target.name) hangs") }
    DispatchQueue.global().asyncAfter(deadline: .now() + 12 * seconds, execute: end)
    let start = threadSeconds
    target.run(input)
    end.cancel()
    let used = threadSeconds - start
    #expect(used <= seconds, "an input of \(target.name) takes \(used) s")
  }

  /// The processor's time that the thread has used.
  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
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
    for (file, input) in try Self.findings(of: target) {
      print(name, file)
      Self.run(target, input)
    }
  }

  /// The inputs that were found once, by the names of their files.
  private static func findings(of target: FuzzTarget) throws -> [(file: String, input: [UInt8])] {
    let folder = findings.appending(path: target.name)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return try files.sorted { $0.path < $1.path }.map {
      ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
    }
  }

  /// They take no more memory than Tests/Long/damage/fuzz lets them have, in a process of their own, whose memory is no other test's.
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

  /// Runs an input that takes so much memory, where Tests/Long/damage/fuzz lets it have 64 MB.
  private static func take(megabytes: UInt8) throws {
    let greedy = FuzzTarget("greedy", seeds: { _, _ in [] }) { input in
      expect([UInt8](repeating: 1, count: Int(input[0]) << 20).last == 1, "there is no memory")
    }
    try limitMemory(to: greedy.memory(of: [megabytes]))
    greedy.run([megabytes])
  }

  /// The kilobytes of memory that this process had when it first asked.
  private static let memoryBefore: UInt? = {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmData:") }
    return line?.split(whereSeparator: \.isWhitespace).lazy.compactMap { UInt($0) }.first
  }()

  /// Lets this process have so many bytes of memory beyond those; where it takes others it ends.
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
