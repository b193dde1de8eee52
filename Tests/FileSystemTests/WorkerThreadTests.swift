import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileSystem

@Suite struct WorkerThreadTests {
  @Test func theWorkRunsOnAThreadOfItsOwnWithRoomForDeepCalls() throws {
    let seen = Mutex<(isOther: Bool, stack: Int)>((false, 0))
    let starter = pthread_self()
    // The GNU C library's attributes of the thread, which the Glibc module leaves out: pthread_getattr_np(3).
    typealias Ask = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
    let symbol = try #require(dlsym(nil, "pthread_getattr_np"))
    let ask = unsafeBitCast(symbol, to: Ask.self)
    let thread = try WorkerThread {
      var (attributes, base, size) = (pthread_attr_t(), UnsafeMutableRawPointer?.none, 0)
      _ = ask(pthread_self(), &attributes)
      pthread_attr_getstack(&attributes, &base, &size)
      pthread_attr_destroy(&attributes)
      seen.withLock { $0 = (pthread_self() != starter, size) }
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

  /// All parts wait for each other, so the test ends only if they run at the same time.
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
}
