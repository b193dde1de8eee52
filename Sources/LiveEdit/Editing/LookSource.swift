import Basics
import EditModel
import FileSystem

/// Finds the looks that people name.
package enum LookSource {
  /// A look by its name, or from a `.cube` file.
  ///
  /// - Parameter name: the name of a ``EditModel/BuiltInLook``, or a path that ends with `.cube`.
  /// - Throws: ``Basics/EditError`` when there is no such look, or the file is broken.
  package static func named(_ name: String) throws(EditError) -> Look.Source {
    if name.lowercased().hasSuffix(".cube") { return .table(try table(name)) }
    guard let look = BuiltInLook(rawValue: name) else {
      let names = BuiltInLook.allCases.map(\.rawValue).joined(separator: ", ")
      throw EditError(
        .notFound, "there is no look “\(name)”", remedy: "name a .cube file or one of \(names)")
    }
    return .builtIn(look)
  }

  /// The table of a `.cube` file.
  ///
  /// - Parameter path: the file's path.
  static func table(_ path: String) throws(EditError) -> LookTable {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      // One byte more than the largest file that is read tells that this one is larger.
      return try CubeFile.parse(
        try source.read(at: 0, count: min(source.count, CubeFile.largestFile + 1)))
    }
  }
}
