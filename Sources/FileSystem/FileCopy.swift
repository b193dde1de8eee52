extension File {
  /// Copies a file to a name that nothing has, and makes the copy durable.
  ///
  /// The corresponding C functions are `pread`, `pwrite` and `fsync`. When one of them fails, the copy is removed.
  ///
  /// - Throws: ``SystemError``, EEXIST when the name is taken.
  public static func copy(_ path: String, to target: String) throws {
    let source = try FileByteSource(path: path)
    let sink = try FileByteSink(path: target)
    do {
      var at = 0
      while at < source.count {
        let count = min(1 << 20, source.count - at)
        try sink.write(source.read(at: at, count: count))
        at += count
      }
      try sink.flush()
      try sync(target)
    } catch {
      _ = try? remove(target)
      throw error
    }
  }
}
