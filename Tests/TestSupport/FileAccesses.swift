import Foundation

/// Counts how often a file is read, by whichever process, as the kernel tells it (inotify(7)).
public final class FileAccesses {
  private let descriptor: Int32

  /// Begins to count.
  ///
  /// - Parameter file: a file that is there, whose place is watched and not its name.
  public init(to file: URL) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    // Between two readings of a file stands its opening: reads one after the other are told as one.
    guard inotify_add_watch(descriptor, file.path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
      throw ToolFailure("\(file.path) cannot be watched: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    close(descriptor)
  }

  /// The number of times that the file was opened and read since it was asked for last. One that was opened and not read does not
  /// count.
  public func readings() -> Int {
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = read(descriptor, &buffer, buffer.count)
      guard length > 0 else { return count }
      // Events of 16 bytes (inotify_event): a file that is watched itself has no names behind them.
      for event in stride(from: 0, to: length, by: 16) {
        let mask = buffer[event + 4..<event + 8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if mask & UInt32(IN_ACCESS) != 0 { count += 1 }
      }
    }
  }
}
