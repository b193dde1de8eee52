import Foundation

/// Counts how often any process reads a file, as the kernel reports it (inotify(7)).
public final class FileAccesses {
  private let descriptor: Int32

  /// Starts counting.
  ///
  /// - Parameter file: An existing file. The inode is watched, not the name.
  public init(to file: URL) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    // Watching opens separates successive reads, which the kernel would otherwise merge into one event.
    guard inotify_add_watch(descriptor, file.path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
      throw ToolFailure("\(file.path) cannot be watched: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Returns how many times the file was opened and read since the last call. Opening the file without reading it does
  /// not count.
  public func readings() -> Int {
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = read(descriptor, &buffer, buffer.count)
      guard length > 0 else { return count }
      // Each event has 16 bytes (inotify_event). Events of a watched file have no names after them.
      for event in stride(from: 0, to: length, by: 16) {
        let mask = buffer[event + 4..<event + 8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if mask & UInt32(IN_ACCESS) != 0 { count += 1 }
      }
    }
  }
}
