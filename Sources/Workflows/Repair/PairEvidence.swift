import EditLibrary
import EditModel
import Glibc

/// The evidence for and against a photo and a movie being halves of one Live Photo.
package struct PairEvidence: Hashable, Sendable {
  /// How closely two names match.
  package enum Names: Int, Hashable, Sendable, Comparable {
    /// The names derive from different camera names.
    case different
    /// The names derive from the same camera name but have different additions.
    case alike
    /// The names are the same except for their extensions and letter case.
    case same

    package static func < (one: Names, other: Names) -> Bool { one.rawValue < other.rawValue }
  }

  /// How closely the names match.
  package var names: Names
  /// Whether both files have the same identifier, or nil if one file has no identifier.
  package var isIdentifierShared: Bool?
  /// Whether the sidecars from Google Takeout describe the same asset, or nil if one file has no sidecar.
  package var isTakeoutShared: Bool?
  /// The difference between the capture times in milliseconds, or nil if it is unknown.
  package var milliseconds: Int?
  /// Whether the same camera took both files, or nil if one file does not state its camera.
  package var isCameraShared: Bool?
  /// The distance between the locations in metres, or nil if one file has no location.
  package var metres: Double?
  /// Whether the movie marks a photo's time, or is as short as the movies of Live Photos.
  package var isMovieOfLivePhoto: Bool
  /// The similarity between the photo and the movie's frame at the marked time, from -1 to 1, or nil if the pictures
  /// were not compared.
  package var likeness: Double?

  /// The maximum difference between the capture times of a pair, in milliseconds. A Live Photo's movie begins up to
  /// three seconds before the photo, the date in the movie's header may be the time at which the movie ends, and both
  /// dates are rounded to seconds.
  package static let mostApart = 5000
  /// The maximum distance between the locations of a pair, in metres. The limit allows for the drift of GPS receivers.
  package static let mostMetres = 1000.0
  /// The maximum duration, in seconds, of a movie that can belong to a photo although it does not mark the photo's
  /// time.
  static let longestMovie = 15.0
  /// The minimum similarity of pictures that show the same scene. The similarity is 0.84 or more for real pairs, and
  /// less than 0.15 for other scenes.
  package static let leastLikeness = 0.5
  /// The minimum similarity if the names do not match. This minimum is higher because shots of the same scene within
  /// seconds are similar.
  package static let leastNamelessLikeness = 0.8

  /// Whether a camera named both files and gave them different numbers, as it does for halves of different Live Photos.
  private let isNumberedApart: Bool

  init(_ photo: LooseHalf, _ movie: LooseHalf) {
    if photo.stem.lowercased() == movie.stem.lowercased() {
      names = .same
    } else {
      let roots = Set(photo.names.map(\.root))
      names = movie.names.contains { roots.contains($0.root) } ? .alike : .different
    }
    isNumberedApart =
      names == .different
      && [photo, movie].allSatisfy { RenderNames.isCameraStem($0.form.root.uppercased()) }
    if let one = photo.identifier, let other = movie.identifier { isIdentifierShared = one == other }
    if let one = photo.sidecar, let other = movie.sidecar { isTakeoutShared = Self.isShared(one, other) }
    milliseconds = Self.distance(photo, movie)
    if let one = photo.model, let other = movie.model {
      isCameraShared = one.lowercased() == other.lowercased()
    }
    if let one = photo.location, let other = movie.location { metres = Self.metres(one, other) }
    isMovieOfLivePhoto = movie.marksPhoto || (movie.duration ?? 0) <= Self.longestMovie
  }

  /// Whether the evidence rules out that the files belong together.
  var isRefuted: Bool {
    if isCameraShared == false || isTakeoutShared == false || !isMovieOfLivePhoto || isNumberedApart {
      return true
    }
    if let metres, metres > Self.mostMetres { return true }
    if let milliseconds, milliseconds > Self.mostApart { return true }
    // Files with different identifiers are halves of different Live Photos, unless the names show that one file is a
    // render.
    return isIdentifierShared == false && names == .different
  }

  /// Whether the evidence justifies a closer comparison.
  var isCandidate: Bool {
    if isRefuted { return false }
    if isTakeoutShared == true || names != .different { return true }
    return milliseconds != nil && isCameraShared == true
  }

  /// Whether the files belong together without a comparison of their pictures, provided that no other file fits either
  /// of the two files.
  var suffices: Bool {
    guard isCandidate, isIdentifierShared != false else { return false }
    return isTakeoutShared == true || names == .same && milliseconds != nil && isCameraShared == true
  }

  /// Whether the pictures are similar enough to show the same scene.
  var showsOneScene: Bool {
    let least = names == .different ? Self.leastNamelessLikeness : Self.leastLikeness
    return likeness.map { $0 >= least } ?? false
  }

  /// Returns the difference between the capture times in milliseconds, or nil if the times cannot be compared. The
  /// times cannot be compared if one file has no time zone and the other file has its time only in UTC, or if a movie's
  /// only time is in its header and does not fit, because a header's time may be the time of a copy.
  private static func distance(_ photo: LooseHalf, _ movie: LooseHalf) -> Int? {
    if let one = photo.instant, let other = movie.instant {
      let apart = abs(one - other)
      return apart > mostApart && movie.isHeaderAlone ? nil : apart
    }
    guard let one = photo.wallClock, let other = movie.wallClock else { return nil }
    return abs(one - other)
  }

  /// Returns the distance between two locations in metres, on a sphere as large as the Earth (haversine formula).
  static func metres(_ one: GeoLocation, _ other: GeoLocation) -> Double {
    let radian = Double.pi / 180
    let (latitude, longitude) = (
      sin((one.latitude - other.latitude) * radian / 2), sin((one.longitude - other.longitude) * radian / 2)
    )
    let share =
      latitude * latitude + cos(one.latitude * radian) * cos(other.latitude * radian) * longitude * longitude
    return 2 * 6_371_000 * asin(min(1, share.squareRoot()))
  }

  /// Returns whether two sidecars describe the same asset, based on the asset's address, or on its name, time and
  /// location.
  private static func isShared(_ one: TakeoutSidecar, _ other: TakeoutSidecar) -> Bool? {
    if let address = one.address, address == other.address { return true }
    func root(_ sidecar: TakeoutSidecar) -> String {
      NameForm(stem: RenderNames.Parts(sidecar.title).stem).root
    }
    guard let taken = one.taken, let others = other.taken else { return nil }
    if abs(taken - others) > mostApart { return false }
    if let here = one.location, let there = other.location, metres(here, there) > mostMetres { return false }
    return root(one) == root(other) ? true : nil
  }
}
