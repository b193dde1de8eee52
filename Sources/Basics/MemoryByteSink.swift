/// Bytes that are collected in memory.
public final class MemoryByteSink: ByteSink {
  /// The bytes that were written.
  public private(set) var bytes: [UInt8] = []

  /// Nothing is written yet.
  public init() {}

  /// Adds bytes.
  public func write(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Puts bytes in the place of others that were written.
  public func overwrite(at offset: Int, _ bytes: [UInt8]) {
    guard offset >= 0, offset <= self.bytes.count - bytes.count else { return }
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
