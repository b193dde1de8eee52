/// A sink that collects bytes in memory.
package final class MemoryByteSink: ByteSink {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty sink.
  package init() {}

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Overwrites bytes that were written earlier.
  package func overwrite(at offset: Int, _ bytes: [UInt8]) {
    guard offset >= 0, offset <= self.bytes.count - bytes.count else { return }
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
