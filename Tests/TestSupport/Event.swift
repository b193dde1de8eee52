import Foundation

/// Events that no program tells the tests of, so that they look again and again.
public enum Event {
  /// Waits until a condition holds.
  ///
  /// - Parameters:
  ///   - name: the event, for the error.
  ///   - happened: the condition.
  /// - Throws: ``ToolFailure`` after far longer than anything takes on the busiest computer.
  public static func wait(for name: String, _ happened: () throws -> Bool) throws {
    for _ in 0..<60_000 {
      if try happened() { return }
      usleep(10_000)
    }
    throw ToolFailure("waited in vain for \(name)")
  }

  /// Waits until a process sleeps in a system call, with as many children that do.
  public static func waitForSleep(of process: Int32, children: Int = 0) throws {
    try wait(for: "process \(process) and \(children) children to sleep") {
      let all = try [RunningProcess(process)] + RunningProcess.descendants(of: process).map(Optional.some)
      return all.count == 1 + children && all.allSatisfy(\.isAsleep)
    }
  }
}

extension RunningProcess? {
  /// True if the process is there, and sleeps in a system call.
  public var isAsleep: Bool { (try? self?.status("State").first?.contains("S (sleeping)")) == true }
}
