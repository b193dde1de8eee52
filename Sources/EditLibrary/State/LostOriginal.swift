import Basics
import FileSystem

/// A missing original: it is no longer beside its render, but other files still refer to it.
///
/// A render's name alone does not make a file a render: `IMG_E0001.JPG` alone is a photo like any other. The file is a
/// render if the adjustment data of `IMG_0001` is beside the file, or if the library has versions of `IMG_0001`.
struct LostOriginal {
  /// The stem of the missing original.
  let stem: String
  /// The adjustment data beside the render, or nil if only the library refers to the original.
  let adjustments: String?

  /// Searches for files that refer to an original.
  ///
  /// - Parameters:
  ///   - stem: The stem of the possible render, in a folder without photos and movies of the original's name.
  ///   - folders: The render's folder and its library home.
  /// - Returns: The original, or nil if no file refers to an original.
  /// - Throws: ``EditError`` if the folders cannot be read.
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

  /// The extensions of originals that liveedit does not edit: screenshots and raw photos. A render of such an original
  /// is edited like any other photo.
  private static let otherKinds = [
    "png", "dng", "tif", "tiff", "gif", "webp", "avif", "bmp", "cr2", "cr3", "nef", "arw", "raf", "orf",
    "rw2",
    "pef", "avi", "3gp",
  ]

  /// Returns the names of the files that refer to an original.
  static func traces(of stem: String) -> [String] { [stem + ".AAE", stem + ".aae"] }

  /// Returns the note about the render for the user.
  func note(_ name: String) -> Message {
    "\(name) is an edited version of \(stem), but that original is not in this folder"
  }

  /// Returns the error that explains why the render is not edited.
  func error(_ path: String) -> EditError {
    EditError(
      .notFound, file: path, "is an edited version of \(stem), but that original is not in this folder",
      remedy:
        "rename the original to \(stem) again, find it with liveedit check --repair, or move the edited file to another "
        + "folder to edit it as a separate file")
  }
}
