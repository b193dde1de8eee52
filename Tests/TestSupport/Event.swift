import Foundation

/// Waits for events that no program reports, by checking repeatedly.
public enum Event {
  /// Waits until a condition is true.
  ///
  /// - Parameters:
  ///   - name: The name of the event, for the error.
  ///   - happened: The condition.
  /// - Throws: ``ToolFailure`` after a time far longer than any event takes on the busiest computer.
  public static func wait(for name: String, _ happened: () throws -> Bool) throws {
    for _ in 0..<60_000 {
      if try happened() { return }
      usleep(10_000)
    }
    throw ToolFailure("waited in vain for \(name)")
  }

  /// Waits until a process and the given number of its children sleep in system calls.
  public static func waitForSleep(of process: Int32, children: Int = 0) throws {
    try wait(for: "process \(process) and \(children) children to sleep") {
      let all = try [RunningProcess(process)] + RunningProcess.descendants(of: process).map(Optional.some)
      return all.count == 1 + children && all.allSatisfy(\.isAsleep)
    }
  }
}

extension RunningProcess? {
  /// Whether the process exists and sleeps in a system call.
  public var isAsleep: Bool { (try? self?.status("State").first?.contains("S (sleeping)")) == true }
}
