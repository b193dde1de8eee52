/// The place of renders, earlier versions and the catalogue: beside the originals, or in a library elsewhere.
///
/// A folder of originals has one layout. In a library elsewhere it has a *home*, a folder that holds what would
/// otherwise stand beside the originals: the renders under the same names, the adjustment data and `.liveedit`. Then
/// nothing is ever written in the folder of the originals, and it need not be writable.
public struct LibraryLayout: Hashable, Sendable {
  /// The layout that iPhones and Image Capture use: renders beside the originals.
  public static let besideOriginals = LibraryLayout(library: nil)

  /// The path of the library's folder; nil for the layout beside the originals.
  package let library: String?
  /// The paths of trees of originals: with the first write below one it becomes a root of the library, where no root is
  /// known. Outside of them the folder of the originals does.
  package var trees: [String]
  /// The libraries that the user has made.
  let known: KnownLibraries

  /// - Parameters:
  ///   - library: the path of the library's folder; nil for the layout beside the originals.
  ///   - trees: the paths of trees of originals, which become roots of the library where none are known.
  ///   - known: the libraries that the user has made.
  package init(library: String?, trees: [String] = [], known: KnownLibraries = .ofUser) {
    self.library = library
    self.trees = trees
    self.known = known
  }

  /// The path of the original, or of the folder of originals, that is meant by one in the library: a render there stands
  /// for its asset as one beside the originals does. Any other path stays as it is.
  package func originalPath(_ path: String) -> String {
    guard let library, let found = try? LibraryFolder(library).originalPath(path) else { return path }
    return found
  }
}
