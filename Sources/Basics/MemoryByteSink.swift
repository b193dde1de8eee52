/// Bytes that are collected in memory.
package final class MemoryByteSink: ByteSink {
  /// The bytes that were written.
  package private(set) var bytes: [UInt8] = []

  /// Nothing is written yet.
  package init() {}

  /// Adds bytes.
  package func write(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Puts bytes in the place of others that were written.
  package func overwrite(at offset: Int, _ bytes: [UInt8]) {
    guard offset >= 0, offset <= self.bytes.count - bytes.count else { return }
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
