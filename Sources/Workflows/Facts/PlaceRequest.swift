import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A change of the location, as requested by a user.
package enum PlaceRequest: Sendable {
  /// Sets or removes the location.
  case to(PlaceChange)
  /// Sets the location to the track's position at the time of capture. The value includes the path of the track's file.
  case track(GPXTrack, file: String)
}

extension EditSource {
  /// Returns the edit with another location.
  ///
  /// - Throws: ``Basics/EditError`` if the location depends on a capture time that is unknown or not covered by the
  ///   track.
  package func changingPlace(_ request: PlaceRequest, in edit: Edit) throws(EditError) -> Edit {
    var edit = edit
    switch request {
    case .to(let change):
      // If no file states a location, no location needs to be removed.
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
          remedy: "set its time zone first, for example with liveedit date --zone Europe/Rome --keep-clock")
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

  /// Returns the location in the photo, or in the movie if the photo has no location.
  ///
  /// - Throws: ``Basics/EditError`` if a file cannot be read.
  package func place() throws(EditError) -> GeoLocation? {
    if let path = files[.photo], let place = try readFile(path, { try Photo($0).metadata().location }) {
      return place
    }
    guard let path = files[.movie] else { return nil }
    return try readFile(path) { try MovieMetadata(reading: $0).location }
  }

  /// Returns whether the photo's file contains a movie in an unsupported format, which may include a location.
  private func holdsUnknownMovie() throws(EditError) -> Bool {
    guard let path = files[.photo] else { return false }
    return try readFile(path) { try !Photo($0).unknownMovies().isEmpty }
  }

  private static func text(_ instant: Int) -> String {
    CaptureDate(wallClock: instant, offset: 0, source: .exif).text
  }
}

extension GPXTrack {
  /// Reads a track from a file.
  ///
  /// - Throws: ``Basics/EditError`` if the file is not a GPX file or exceeds a limit.
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

/// Returns the location in a photo or movie file.
///
/// - Throws: ``Basics/EditError`` if the file cannot be read or has no location.
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
