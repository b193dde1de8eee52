package import Basics
import EditModel
import FileSystem

/// The visible entries of a folder that are no assets of it and that people may look for in its list.
package struct UnlistedEntries {
  /// The names of pictures and movies of kinds that are not listed, sorted, by the kind: “PNG”, “DNG”, and those of photos
  /// and movies that are links to nothing: “broken link”.
  package private(set) var files: [String: [String]] = [:]
  /// The number of folders below that a list of the whole tree would go into.
  package private(set) var folders = 0

  /// The kinds by their extensions in lower case. Sidecars and what other programs keep beside pictures are none of them.
  private static let kinds: [String: String] = {
    let extensions =
      // Pictures.
      ["png", "apng", "gif", "webp", "bmp", "avif", "jxl", "jp2", "psd"] + UnlistedEntries.rawFormats
      // Movies.
      + ["avi", "mkv", "webm", "wmv", "flv", "mts", "m2ts", "3gp", "3g2"]
    let others = [
      "tif": "TIFF", "tiff": "TIFF", "mpg": "MPEG", "mpeg": "MPEG",
      // The movie of a Motion Photo as Google Takeout gives it, and a Live Photo in a ZIP archive.
      "mp": ".MP", "livp": ".livp",
    ]
    return Dictionary(extensions.map { ($0, $0.uppercased()) }, uniquingKeysWith: { first, _ in first })
      .merging(others) { first, _ in first }
  }()

  /// The extensions of raw data of sensors, in lower case.
  private static let rawFormats = [
    "dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "orf", "rw2", "pef", "srw", "rwl", "3fr", "iiq",
  ]

  /// The name of the raw format that a file has by its extension; nil for any other.
  static func rawFormat(of name: String) -> String? {
    let fileExtension = RenderNames.Parts(FilePath.split(name).name).fileExtension.lowercased()
    return rawFormats.contains(fileExtension) ? fileExtension.uppercased() : nil
  }

  /// Looks through a folder's names; only files of those kinds and possible folders are asked for their status, where the
  /// folder does not say it.
  ///
  /// - Parameter folder: the folder's path; empty for the current one.
  /// - Throws: ``EditError`` when it cannot be read.
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

  /// The kind of a picture or movie that is not listed, by its name; nil for everything else.
  package static func kind(of name: String) -> String? {
    name.hasPrefix(".") ? nil : kinds[RenderNames.Parts(name).fileExtension.lowercased()]
  }

  private mutating func add(_ name: String) {
    if let kind = Self.kind(of: name) { files[kind, default: []].append(name) }
  }
}
