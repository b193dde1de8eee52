import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A change of the place as people ask for it.
package enum PlaceRequest: Sendable {
  /// A place, or none.
  case to(PlaceChange)
  /// The place on a track at the moment at which the asset was taken, with the track's file.
  case track(GPXTrack, file: String)
}

extension EditSource {
  /// An edit with another place.
  ///
  /// - Throws: ``Basics/EditError`` when the place depends on a moment that is not known, or not on the track.
  package func changingPlace(_ request: PlaceRequest, in edit: Edit) throws(EditError) -> Edit {
    var edit = edit
    switch request {
    case .to(let change):
      // Where nothing says a place, none can be removed.
      edit.facts.place = change
      if change == .removed {
        let known = try place() ?? sidecar?.location
        if known == nil {
          let mayBeSaid = try holdsUnknownMovie()
          if !mayBeSaid { edit.facts.place = nil }
        }
      }
    case .track(let track, let file):
      let path = files[.photo] ?? files[.movie]
      let original = try captured()
      guard let date = edit.facts.date.map({ original.flatMap($0.applied) }) ?? original, date.offset != nil
      else {
        throw EditError(
          .invalidEdit, file: path,
          "has no capture date with a time zone, so it cannot be located on the track",
          remedy: "set its time zone first, as in liveedit date --zone Europe/Rome --keep-clock")
      }
      guard let place = track.place(at: date.instant) else {
        throw EditError(
          .invalidEdit, file: path, "was taken at \(date.text), a time that \(file) does not cover",
          remedy:
            "use a track that covers this time; the points of this track range from \(Self.text(track.extent.lowerBound)) to \(Self.text(track.extent.upperBound))"
        )
      }
      edit.facts.place = PlaceChange(place)
    }
    return edit
  }

  /// Where the asset was taken, by its photo, else by its movie.
  ///
  /// - Throws: ``Basics/EditError`` when a file cannot be read.
  package func place() throws(EditError) -> GeoLocation? {
    if let path = files[.photo], let place = try readFile(path, { try Photo($0).metadata().location }) {
      return place
    }
    guard let path = files[.movie] else { return nil }
    return try readFile(path) { try MovieMetadata(reading: $0).location }
  }

  /// True if a movie that nothing here reads is in the photo's file, which may say a place of its own.
  private func holdsUnknownMovie() throws(EditError) -> Bool {
    guard let path = files[.photo] else { return false }
    return try readFile(path) { try !Photo($0).unknownMovies().isEmpty }
  }

  private static func text(_ instant: Int) -> String {
    CaptureDate(wallClock: instant, offset: 0, source: .exif).text
  }
}

extension GPXTrack {
  /// Reads a file.
  ///
  /// - Throws: ``Basics/EditError`` when it is no GPX or beyond a limit.
  package init(path: String) throws(EditError) {
    let track = try readFile(path) { source in
      guard source.count <= Self.largestFile else { throw Self.tooLarge }
      return try GPXTrack(source.read(at: 0, count: source.count))
    }
    guard let track else {
      throw EditError(
        .invalidFile, file: path, "is not a GPX file with timestamped points",
        remedy: "save the track as GPX with timestamps")
    }
    self = track
  }
}

/// The place that a file says: a photo or a movie.
///
/// - Throws: ``Basics/EditError`` when it cannot be read, or says none.
package func placeOfFile(_ path: String) throws(EditError) -> GeoLocation {
  let place = try readFile(path) { source in
    let photo = try Photo(source)
    return photo.kind == nil ? try MovieMetadata(reading: source).location : try photo.metadata().location
  }
  guard let place else {
    throw EditError(
      .invalidEdit, file: path, "contains no location", remedy: "name a file that contains a location")
  }
  return place
}
