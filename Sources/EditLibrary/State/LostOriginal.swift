import Basics
import FileSystem

/// An original that is not beside its render any more, as far as something there still tells of it.
///
/// A name that has the form of a render does not make one: `IMG_E0001.JPG` alone is a photo like any other. It is a
/// render if the adjustment data of `IMG_0001` lies beside it, or the library has versions of `IMG_0001`.
struct LostOriginal {
  /// The original's stem.
  let stem: String
  /// The adjustment data beside the render; nil when only the library tells.
  let adjustments: String?

  /// Looks for what tells of an original.
  ///
  /// - Parameters:
  ///   - stem: the stem of what may be its render, in a folder without photos and movies of the original's name.
  ///   - folders: that folder, and its home.
  /// - Returns: nil when nothing does.
  /// - Throws: ``EditError`` when the system does not tell.
  init?(ofRender stem: String, in folders: AssetFolders) throws(EditError) {
    guard let original = RenderNames.originalStem(ofRender: stem) else { return nil }
    let beside = folders.originals
    let found = try whileReading(beside.path(stem)) {
      (
        adjustments: try Self.traces(of: original).first { try beside.exists($0) },
        hasOtherKind: try Self.otherKinds.contains { kind in
          try [kind, kind.uppercased()].contains { try beside.exists(original + "." + $0) }
        }
      )
    }
    let versions = LibraryPaths.versions(of: original)
    let isRecorded = try ifSound(folders.home.path(versions)) { try folders.home.exists(versions) } ?? false
    guard found.adjustments != nil || isRecorded, !found.hasOtherKind else { return nil }
    self.stem = original
    adjustments = found.adjustments
  }

  /// Extensions of originals that are not edited here: screenshots, and pictures of a camera's sensor. A render of such an
  /// original is edited like any other photo.
  private static let otherKinds = [
    "png", "dng", "tif", "tiff", "gif", "webp", "avif", "bmp", "cr2", "cr3", "nef", "arw", "raf", "orf",
    "rw2",
    "pef", "avi", "3gp",
  ]

  /// The names of the files that tell of an original.
  static func traces(of stem: String) -> [String] { [stem + ".AAE", stem + ".aae"] }

  /// The note for people about the render.
  func note(_ name: String) -> Message {
    "\(name) is a render of \(stem), and that original is not beside it"
  }

  /// The error that says why the render is not edited.
  func error(_ path: String) -> EditError {
    EditError(
      .notFound, file: path, "is a render of \(stem), and that original is not beside it",
      remedy:
        "give the original its name \(stem) back, let liveedit check --repair look for it, or move the render to another "
        + "folder to edit it for itself")
  }
}
