package import Basics

/// Checks of rendered files.
package enum RenderedHalves {
  /// Makes sure that the renderer gave the halves the identifier that they must have.
  ///
  /// - Parameters:
  ///   - outputs: the rendered files by role.
  ///   - identifier: the identifier that they must carry.
  /// - Throws: ``EditError`` when a half is missing or carries another identifier.
  package static func verify(_ outputs: [FileRole: String], identifier: String?) throws(EditError) {
    for (role, path) in outputs {
      guard try HalfIdentifier.read(path, kind: role == .photo ? .photo : .movie) == identifier else {
        throw EditError(
          .renderer, "the \(role.rawValue) was rendered with the wrong identifier",
          remedy: "report this as a bug")
      }
    }
  }

  /// The identifier that two halves share; nil when they have none.
  ///
  /// - Parameter sources: the files by role.
  /// - Throws: ``EditError`` when they carry different ones.
  package static func identifier(of sources: [FileRole: String]) throws(EditError) -> String? {
    let photo = try sources[.photo].map { path throws(EditError) in
      try HalfIdentifier.read(path, kind: .photo)
    }
    let movie = try sources[.movie].map { path throws(EditError) in
      try HalfIdentifier.read(path, kind: .movie)
    }
    if let photo, let movie, photo != movie {
      throw EditError(
        .pairing, file: sources[.photo], "and its movie do not carry the same identifier",
        remedy: "revert to a version whose halves belong together")
    }
    return photo ?? movie ?? nil
  }
}
