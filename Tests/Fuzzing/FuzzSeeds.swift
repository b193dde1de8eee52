import FoundationEssentials

extension FuzzTarget {
  /// Returns the inputs from which mutations start, taken from the files in some folders.
  ///
  /// - Parameters:
  ///   - folders: The paths of the folders.
  ///   - most: The greatest number of inputs.
  public func seeds(below folders: [String], most: Int = 1000) -> [[UInt8]] {
    var seeds = cut("", [])
    for folder in folders {
      guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else { continue }
      for name in names.sorted() where seeds.count < most {
        guard let data = FileManager.default.contents(atPath: folder + "/" + name), data.count < 1 << 25
        else { continue }
        seeds += cut(name, Array(data))
      }
    }
    return seeds
  }
}

extension [UInt8] {
  /// Returns the first position of some bytes from an index on.
  func place(of bytes: some Collection<UInt8>, from start: Int = 0) -> Int? {
    guard let first = bytes.first else { return nil }
    var at = start
    while let next = self[Swift.min(at, count)...].firstIndex(of: first) {
      if self[next...].starts(with: bytes) { return next }
      at = next + 1
    }
    return nil
  }
}

/// Returns whether a file's name has one of these extensions, in upper or lower case.
func ends(_ name: String, _ extensions: String...) -> Bool {
  extensions.contains { name.lowercased().hasSuffix("." + $0) }
}
