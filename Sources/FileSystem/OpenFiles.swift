/// The files that this process has open.
package enum OpenFiles {
  /// True if a file is open here, by whichever part of the program.
  ///
  /// - Parameter place: the file's place in the system.
  package static func contains(_ place: FileStatus.Place) -> Bool {
    let names = (try? Folder.names(in: "/proc/self/fd")) ?? []
    return names.contains { name in
      guard let descriptor = Int32(name) else { return false }
      return (try? FileStatus(descriptor: descriptor))?.place == place
    }
  }
}
