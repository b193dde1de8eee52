import EditModel
import FileSystem

/// What stands in the names beside the originals that renders and adjustment data of an asset use, under
/// any extension.
struct Slots {
  /// The names, by role; more than one of a role is possible.
  private(set) var names: [(role: FileRole, name: String)] = []

  /// Looks through a folder that was read.
  init(originals: [String], in listing: FolderListing) {
    for stem in Self.stems(originals) {
      for name in listing.names(stem: RenderNames.renderStem(of: stem)) {
        switch HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) {
        case .photo: names.append((.photo, name))
        case .movie: names.append((.movie, name))
        case nil: continue
        }
      }
      for name in listing.adjustments(stem: stem) { names.append((.adjustments, name)) }
    }
    sort()
  }

  /// Asks for each possible name, so that a folder of any size takes the same time. Extensions in mixed case are
  /// seen only where they are recorded.
  init(originals: [String], recorded: [VersionFile], in folder: String) throws(EditError) {
    var candidates = Dictionary(recorded.map { ($0.name, $0.role) }, uniquingKeysWith: { first, _ in first })
    for stem in Self.stems(originals) {
      let render = RenderNames.renderStem(of: stem)
      for (role, extensions) in [
        (FileRole.photo, HalfKind.photo.extensions), (.movie, HalfKind.movie.extensions),
      ] {
        for one in extensions {
          candidates["\(render).\(one)"] = role
          candidates["\(render).\(one.uppercased())"] = role
        }
      }
      candidates[stem + ".AAE"] = .adjustments
      candidates[stem + ".aae"] = .adjustments
    }
    for (name, role) in candidates {
      let path = FolderListing.path(folder, name)
      do {
        if try FileStatus.exists(path) { names.append((role, name)) }
      } catch {
        throw EditError(reading: path, error)
      }
    }
    sort()
  }

  private static func stems(_ originals: [String]) -> [String] {
    Set(originals.map { RenderNames.Parts($0).stem }).sorted()
  }

  private mutating func sort() {
    names.sort { ($0.role.order, $0.name) < ($1.role.order, $1.name) }
  }
}
