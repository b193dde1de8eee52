/// Where a new file's bytes go.
public protocol ByteSink: AnyObject {
  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws

  /// Replaces bytes that were written before.
  ///
  /// - Parameters:
  ///   - offset: where to begin.
  ///   - bytes: the new bytes; they do not reach beyond what was written.
  func overwrite(at offset: Int, _ bytes: [UInt8]) throws
}
