import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileSystem

@Suite struct WorkerThreadTests {
  @Test func theWorkRunsOnAThreadOfItsOwnWithRoomForDeepCalls() throws {
    let seen = Mutex<(isOther: Bool, stack: UInt)>((false, 0))
    let starter = pthread_self()
    let thread = try WorkerThread {
      var local = 0
      let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
      // proc(5): the ranges of memory in use, of which one is this stack. It is no snapshot: while other threads come
      // and go a range can be missed.
      for _ in 0..<100 where seen.withLock({ $0.stack == 0 }) {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") {
          let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
          guard ends.count == 2, ends[0] <= address, address < ends[1] else { continue }
          seen.withLock { $0 = (pthread_self() != starter, ends[1] - ends[0]) }
        }
      }
    }
    thread.join()
    thread.join()
    #expect(seen.withLock { $0.isOther })
    #expect(seen.withLock { $0.stack } >= 8 << 20)
  }

  @Test func workThatNobodyWaitsForGoesOn() throws {
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    _ = try WorkerThread {
      gate.wait()
      done.signal()
    }
    gate.signal()
    #expect(done.wait(timeout: .now() + 10) == .success)
  }

  /// All parts wait for each other: that ends only where they run at the same time.
  @Test(arguments: [0, 1, 2, 5])
  func partsRunSideBySide(_ count: Int) {
    let arrived = Mutex<[Int]>([])
    let all = DispatchSemaphore(value: 0)
    WorkerThread.runSideBySide(count) { index in
      let isLast = arrived.withLock {
        $0.append(index)
        return $0.count == count
      }
      if isLast { for _ in 0..<count { all.signal() } }
      #expect(all.wait(timeout: .now() + 10) == .success)
    }
    #expect(arrived.withLock { $0.sorted() } == Array(0..<count))
  }

  @Test(
    .enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Programs.canTrace),
    arguments: 1...3)
  func withoutAThreadTheCallerDoesThatPart(_ number: Int) throws {
    let folder = try TemporaryFolder()
    let run = try Tools.run([
      "strace", "-f", "-o", "/dev/null", "-e", "trace=clone,clone3", "-e",
      "inject=clone,clone3:error=EAGAIN:when=\(number)+", Programs.failingCalls, "threads", folder.url.path,
    ])
    #expect(run.text == "[0, 1, 2, 3]\n", "\(run.standardError)")
  }
}
