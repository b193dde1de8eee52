package import Basics
import EditModel
import FileSystem

/// The visible entries of a folder that are not assets, but that users may expect to see listed.
package struct UnlistedEntries {
  /// The sorted names of pictures and movies whose formats are not listed, by format (“PNG”, “DNG”). The key “broken
  /// link” contains photos and movies that are symbolic links to missing files.
  package private(set) var files: [String: [String]] = [:]
  /// The number of subfolders that a list of the whole tree would include.
  package private(set) var folders = 0

  /// The formats by lower-case extension. Sidecars and files that other programs store beside pictures are not
  /// included.
  private static let kinds: [String: String] = {
    let extensions =
      // Picture formats.
      ["png", "apng", "gif", "webp", "bmp", "avif", "jxl", "jp2", "psd"] + UnlistedEntries.rawFormats
      // Movie formats.
      + ["avi", "mkv", "webm", "wmv", "flv", "mts", "m2ts", "3gp", "3g2"]
    let others = [
      "tif": "TIFF", "tiff": "TIFF", "mpg": "MPEG", "mpeg": "MPEG",
      // The movie of a Motion Photo as Google Takeout exports it, and a Live Photo in a ZIP archive.
      "mp": ".MP", "livp": ".livp",
    ]
    return Dictionary(extensions.map { ($0, $0.uppercased()) }, uniquingKeysWith: { first, _ in first })
      .merging(others) { first, _ in first }
  }()

  /// The extensions of raw photo formats, in lower case.
  private static let rawFormats = [
    "dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "orf", "rw2", "pef", "srw", "rwl", "3fr", "iiq",
  ]

  /// Returns the name of a file's raw format, judging by its extension, or nil if the format is not raw.
  static func rawFormat(of name: String) -> String? {
    let fileExtension = RenderNames.Parts(FilePath.split(name).name).fileExtension.lowercased()
    return rawFormats.contains(fileExtension) ? fileExtension.uppercased() : nil
  }

  /// Reads a folder's names. The status is read only for files of these formats and for entries that may be folders,
  /// and only if the folder listing does not already provide the status.
  ///
  /// - Parameter folder: The folder's path; empty for the current folder.
  /// - Throws: ``EditError`` if the folder cannot be read.
  package init(folder: String) throws(EditError) {
    let contents: Folder.Contents
    do {
      contents = try Folder.contents(of: FilePath.shown(folder))
    } catch {
      throw FolderListing.error(FilePath.shown(folder), error)
    }
    folders = FolderTree.visible(in: folder, contents.names) { _, _ in }.count
    let besides = Set(
      contents.names.map(RenderNames.Parts.init).filter {
        HalfKind(fileExtension: $0.fileExtension) != nil && !HalfKind.standsAlone("x." + $0.fileExtension)
      }.map(\.stem))
    for (name, isRegular) in zip(contents.names, contents.areRegular) {
      let isHalf = HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) != nil
      guard isHalf && !name.hasPrefix(".") || Self.kind(of: name) != nil else { continue }
      do throws(SystemError) {
        let isAsset =
          isHalf && (!HalfKind.standsAlone(name) || !besides.contains(RenderNames.Parts(name).stem))
        let isFile =
          if isRegular { true } else { try FileStatus(path: FilePath.joined(folder, name)).kind == .regular }
        if isFile, !isAsset { add(name) }
      } catch {
        if error == .notFound, isHalf { files["broken link", default: []].append(name) }
      }
    }
    for entry in contents.unusable where entry.status?.kind == .regular {
      if HalfKind(fileExtension: RenderNames.Parts(entry.name).fileExtension) == nil { add(entry.name) }
    }
    files = files.mapValues { $0.sorted() }
  }

  /// Returns the format of a picture or movie that is not listed, judging by its name, or nil for any other file.
  package static func kind(of name: String) -> String? {
    name.hasPrefix(".") ? nil : kinds[RenderNames.Parts(name).fileExtension.lowercased()]
  }

  private mutating func add(_ name: String) {
    if let kind = Self.kind(of: name) { files[kind, default: []].append(name) }
  }
}
