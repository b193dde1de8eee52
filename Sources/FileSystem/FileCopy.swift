import Basics

extension File {
  /// Copies what a source holds into a new file, and makes the copy durable.
  ///
  /// The corresponding C functions are `pread`, `pwrite` and `fsync`. When one of them fails, the copy is removed.
  ///
  /// - Parameters:
  ///   - source: an open file.
  ///   - place: where the copy goes.
  ///   - folder: the folder that the place is in.
  /// - Throws: ``SystemError``, EEXIST when the place is taken.
  package static func copy(_ source: FileByteSource, to place: String, in folder: HeldFolder) throws {
    let sink = try FileByteSink(place, in: folder)
    do {
      try source.copy(0..<source.count, to: sink)
      try sink.flush()
      try folder.sync(place)
    } catch {
      _ = try? folder.remove(place)
      throw error
    }
  }

  /// Copies a file to a path that nothing has, and makes the copy durable.
  package static func copy(_ path: String, to target: String) throws {
    let (folder, place) = try HeldFolder.leading(to: target)
    try copy(FileByteSource(path: path), to: place, in: folder)
  }
}
