import EditLibrary
import EditModel
import Glibc

/// The evidence for a photo and a movie being halves of one Live Photo, and against it.
package struct PairEvidence: Hashable, Sendable {
  /// How two names go together.
  package enum Names: Int, Hashable, Sendable, Comparable {
    /// They come from different names.
    case different
    /// They come from one name, and programs made them differ.
    case alike
    /// They are the same but for their extensions and the case of letters.
    case same

    package static func < (one: Names, other: Names) -> Bool { one.rawValue < other.rawValue }
  }

  /// How the names go together.
  package var names: Names
  /// True if both carry one identifier, false if theirs differ; nil where one has none.
  package var isIdentifierShared: Bool?
  /// True if Google Takeout's files beside both describe one asset; nil where one has none.
  package var isTakeoutShared: Bool?
  /// How far apart they were taken, in milliseconds; nil where that cannot be told.
  package var milliseconds: Int?
  /// The camera that took both, true; or different cameras, false; nil where one does not say.
  package var isCameraShared: Bool?
  /// How far apart the places lie, in metres; nil where one names none.
  package var metres: Double?
  /// True if the movie marks a photo's place, or is as short as those of Live Photos.
  package var isMovieOfLivePhoto: Bool
  /// How much the photo resembles the movie at its mark, from -1 to 1; nil where the pictures were not compared.
  package var likeness: Double?

  /// Photos and movies may be taken so many milliseconds apart: a Live Photo's movie begins up to three seconds before
  /// the photo, its header's date may be that of its end, and both dates are rounded to seconds.
  package static let mostApart = 5000
  /// Halves of one Live Photo name places that lie so many metres apart at most: receivers of GPS drift.
  package static let mostMetres = 1000.0
  /// Movies without a mark that last longer, in seconds, belong to no photo.
  static let longestMovie = 15.0
  /// From this likeness on the pictures show one scene. Of real pairs it is 0.84 or more, of other scenes below 0.15.
  package static let leastLikeness = 0.5
  /// The same where no name supports it: shots of one scene within seconds come near.
  package static let leastNamelessLikeness = 0.8

  /// True if a camera named both, and gave them different numbers, which it does to halves of different Live Photos.
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

  /// True if something says that they cannot belong together.
  var isRefuted: Bool {
    if isCameraShared == false || isTakeoutShared == false || !isMovieOfLivePhoto || isNumberedApart {
      return true
    }
    if let metres, metres > Self.mostMetres { return true }
    if let milliseconds, milliseconds > Self.mostApart { return true }
    // Both halves of another Live Photo carry its identifier; one that was rendered has a name that says so.
    return isIdentifierShared == false && names == .different
  }

  /// True if there is a reason to look at them more closely.
  var isCandidate: Bool {
    if isRefuted { return false }
    if isTakeoutShared == true || names != .different { return true }
    return milliseconds != nil && isCameraShared == true
  }

  /// True if they belong together without a look at their pictures, as long as nothing else fits either.
  var suffices: Bool {
    guard isCandidate, isIdentifierShared != false else { return false }
    return isTakeoutShared == true || names == .same && milliseconds != nil && isCameraShared == true
  }

  /// True if the pictures say that they show one scene.
  var showsOneScene: Bool {
    let least = names == .different ? Self.leastNamelessLikeness : Self.leastLikeness
    return likeness.map { $0 >= least } ?? false
  }

  /// Milliseconds between two moments; nil when they cannot be compared: where one names no time zone and the other's
  /// clock is UTC's, and where a movie's header alone names a time that does not fit, which may be that of a copy.
  private static func distance(_ photo: LooseHalf, _ movie: LooseHalf) -> Int? {
    if let one = photo.instant, let other = movie.instant {
      let apart = abs(one - other)
      return apart > mostApart && movie.isHeaderAlone ? nil : apart
    }
    guard let one = photo.wallClock, let other = movie.wallClock else { return nil }
    return abs(one - other)
  }

  /// Metres between two places, on a sphere as large as the Earth (the haversine formula).
  static func metres(_ one: GeoLocation, _ other: GeoLocation) -> Double {
    let radian = Double.pi / 180
    let (latitude, longitude) = (
      sin((one.latitude - other.latitude) * radian / 2), sin((one.longitude - other.longitude) * radian / 2)
    )
    let share =
      latitude * latitude + cos(one.latitude * radian) * cos(other.latitude * radian) * longitude * longitude
    return 2 * 6_371_000 * asin(min(1, share.squareRoot()))
  }

  /// True if two sidecars describe one asset: by its address, or by name, time and place.
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
