import Foundation
import LiveEdit
import RenderClient
import Synchronization
import TestSupport
import Testing
import Workflows

/// Tests in which one process edits while another lists and observes. LIVEEDIT_SIDE_BY_SIDE sets the number of seconds;
/// see Tests/Long/load/side-by-side.
@Suite struct SideBySideTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["LIVEEDIT_SIDE_BY_SIDE"].flatMap { Double($0) } ?? 3

  @Test func nothingIsReadWrongly() async throws {
    let folder = try TemporaryFolder()
    for fixture in [Fixture.portrait, .landscape] { _ = try fixture.copy(to: folder.url) }
    let library = try PhotoLibrary(
      folder: folder.url,
      renderer: HelperRenderer(executable: Command.programs.appendingPathComponent("liveedit-render")))
    let told = Told()
    let observer = Task { [changes = try await library.changes()] in
      for try await change in changes { told.add(change.assets) }
    }
    let editing = Editing(in: folder.url, seconds: Self.seconds)
    var listings = 0
    while editing.isRunning {
      try await list(library)
      listings += 1
    }
    let outcome = try await editing.value()
    #expect(outcome.failures == [])
    #expect(outcome.edits > 0 && listings > 0)
    // The notification of the last change may arrive shortly after the change.
    for _ in 0..<100 where told.times("IMG_0001") == 0 { try await Task.sleep(for: .milliseconds(100)) }
    observer.cancel()
    #expect(told.times("IMG_0001") > 0)
    #expect(told.stems.isSubset(of: ["IMG_0001", "IMG_E0001"]), "the other asset was left alone")
    let input = try await library.requestContentEditingInput(
      for: try await library.asset(named: "IMG_0001.JPG")
    ) { $0.canHandle }
    // After alternating rotations, flips and reverts, the library returns the last edit.
    #expect(input.adjustmentData?.decoded()?.edit == outcome.last)
    print("\(outcome.edits) edits, \(listings) listings, \(told.times("IMG_0001")) changes told")
  }

  /// Expects a listing to be consistent, so that all its data comes from one moment.
  private func list(_ library: PhotoLibrary) async throws {
    let result = try await library.fetchAssets()
    #expect(result.count == 2)
    let assets = try await result.assets(in: 0..<2)
    #expect(assets.map(\.name) == ["IMG_0001.JPG", "IMG_0003.JPG"])
    #expect(assets.map(\.metadata.kind) == [.live, .live])
    #expect(assets.flatMap(\.metadata.notes) == [])
    #expect(assets.last?.metadata.isEdited == false)
    let input = try await library.requestContentEditingInput(for: assets[0]) { $0.canHandle }
    #expect(input.baseVersion == 0)
    #expect(input.notes == [])
    if let data = input.adjustmentData {
      #expect(
        [Orientation.right, .right.then(.flippedHorizontally)].contains(data.decoded()?.edit.orientation))
    }
  }
}

/// Runs one command after another that rotates, flips or reverts the first asset.
private final class Editing: Sendable {
  struct Outcome: Sendable {
    var edits = 0
    var failures: [String] = []
    var last: Edit?
  }

  private let task: Task<Outcome, any Error>
  private let running = Mutex(true)

  var isRunning: Bool { running.withLock { $0 } }

  init(in folder: URL, seconds: Double) {
    let steps: [(arguments: [String], edit: Edit?)] = [
      (["rotate", "--degrees", "90"], Edit(orientation: .right)),
      (["flip", "--horizontal"], Edit(orientation: .right.then(.flippedHorizontally))),
      (["revert", "--to", "original"], nil),
    ]
    let end = Date().addingTimeInterval(seconds)
    let (results, continuation) = AsyncStream<Outcome>.makeStream()
    Thread.detachNewThread {
      var outcome = Outcome()
      repeat {
        let step = steps[outcome.edits % steps.count]
        let answer = try? Tools.run([Command.path] + step.arguments + ["IMG_0001.JPG"], in: folder)
        if answer?.status != 0 { outcome.failures.append(answer?.standardError ?? "could not be run") }
        outcome.last = step.edit
        outcome.edits += 1
      } while Date() < end && outcome.failures.isEmpty
      continuation.yield(outcome)
    }
    task = Task {
      for await outcome in results { return outcome }
      throw ToolFailure("nothing was edited")
    }
    Task { [task] in
      _ = await task.result
      self.running.withLock { $0 = false }
    }
  }

  func value() async throws -> Outcome { try await task.value }
}

/// The changes reported so far.
private final class Told: Sendable {
  private let all = Mutex<[Set<String>]>([])

  var stems: Set<String> { all.withLock { $0.reduce(into: []) { $0.formUnion($1) } } }

  func add(_ stems: Set<String>) { all.withLock { $0.append(stems) } }

  func times(_ stem: String) -> Int { all.withLock { $0.count { $0.contains(stem) } } }
}
