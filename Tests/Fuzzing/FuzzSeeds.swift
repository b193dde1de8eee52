import FoundationEssentials

extension FuzzTarget {
  /// The inputs that mutations begin with, out of the files below some folders.
  ///
  /// - Parameters:
  ///   - folders: paths.
  ///   - most: the greatest number.
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
  /// The first place of some bytes from an index on.
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

/// True if a file's name ends so, in either case.
func ends(_ name: String, _ extensions: String...) -> Bool {
  extensions.contains { name.lowercased().hasSuffix("." + $0) }
}
