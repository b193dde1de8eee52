/// Where renders, earlier versions and the catalogue are stored: beside the originals, or in a separate library.
///
/// A folder of originals has one layout. In a separate library, the folder of originals has a *library home*: a folder
/// with everything that would otherwise be beside the originals, that is, the renders under the same names, the
/// adjustment data and `.liveedit`. In this case, nothing is ever written to the originals' folder, so the originals'
/// folder can be read-only.
public struct LibraryLayout: Hashable, Sendable {
  /// The layout that iPhones and Image Capture use, with renders beside the originals.
  public static let besideOriginals = LibraryLayout(library: nil)

  /// The path of the library's folder, or nil if renders are beside the originals.
  package let library: String?
  /// The paths of trees of originals. When something is first written for a folder that belongs to no known root, the
  /// tree that contains the folder becomes a root of the library. For a folder outside these trees, the folder itself
  /// becomes the root.
  package var trees: [String]
  /// The libraries that the user has created.
  let known: KnownLibraries

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - library: The path of the library's folder, or nil to store renders beside the originals.
  ///   - trees: The paths of trees of originals, which become roots of the library if no root is known.
  ///   - known: The libraries that the user has created.
  package init(library: String?, trees: [String] = [], known: KnownLibraries = .ofUser) {
    self.library = library
    self.trees = trees
    self.known = known
  }

  /// Returns the path of the original, or of the folder of originals, that corresponds to a path in the library. A
  /// render in the library represents its asset in the same way as a render beside the original. Any other path is
  /// returned unchanged.
  package func originalPath(_ path: String) -> String {
    guard let library, let found = try? LibraryFolder(library).originalPath(path) else { return path }
    return found
  }
}
