import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A part of a movie, as a user specifies it.
package enum MoviePart: Hashable, Sendable {
  /// A time range in seconds of the unedited movie. A nil bound is the movie's start or end.
  case seconds(from: Double?, to: Double?)
  /// A range of frame numbers, counted from 1. The last frame is included.
  case frames(ClosedRange<Int>)
}

/// A frame of a movie, as a user specifies it.
package enum MovieMoment: Hashable, Sendable {
  /// The frame that is displayed at a time, in seconds of the unedited movie.
  case seconds(Double)
  /// The frame with the given number, counted from 1.
  case frame(Int)
}

extension EditSource {
  /// Returns the edit with another trim, or without a trim if the part contains all frames.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - part: The part of the movie to keep.
  ///   - moment: The frame to use as the key photo, or nil to keep the edit's key photo.
  /// - Throws: ``Basics/EditError`` if there is no movie, if the movie does not contain the part or the frame, or if
  ///   the trim removes the key photo's frame.
  package func trimmed(
    _ edit: Edit, to part: MoviePart, keyPhoto moment: MovieMoment? = nil
  ) throws(EditError) -> Edit {
    if moment != nil { try checkPhoto() }
    return try withMovie { movie in
      let keyPhoto = try moment.map { try Self.keyPhoto(at: $0, of: movie) } ?? edit.motion.keyPhotoSeconds
      var edit = edit
      try edit.motion.set(trim: Self.trim(to: part, of: movie), keyPhoto: keyPhoto)
      if try movie.plan(for: edit.motion) == nil { try edit.motion.setTrim(nil) }
      _ = try movie.framesOfEffect(of: edit.motion)
      return edit
    }
  }

  /// Returns the edit with another key photo.
  ///
  /// - Parameters:
  ///   - moment: The frame to use as the key photo, or nil for the original photo.
  ///   - edit: The edit.
  /// - Throws: ``Basics/EditError`` if the photo or the movie is missing, if the movie does not contain that frame, or
  ///   if the edit removes that frame.
  package func takingKeyPhoto(at moment: MovieMoment?, in edit: Edit) throws(EditError) -> Edit {
    if moment == nil, edit.motion.keyPhoto == nil { return edit }
    try checkPhoto()
    return try withMovie { movie in
      var edit = edit
      try edit.motion.setKeyPhoto(try moment.map { try Self.keyPhoto(at: $0, of: movie) })
      _ = try movie.plan(for: edit.motion)
      return edit
    }
  }

  /// Checks that the photo is present.
  ///
  /// - Throws: ``Basics/EditError`` if the photo is missing.
  package func checkPhoto() throws(EditError) {
    guard files[.photo] == nil else { return }
    throw EditError(
      .invalidEdit, file: files[.movie], "has no photo to replace with a movie frame",
      remedy: "name a Live Photo")
  }

  /// Returns the edit with another effect.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - edit: The edit.
  /// - Throws: ``Basics/EditError`` if a half that the effect needs is missing, or if the movie is too short or too
  ///   long.
  package func giving(_ effect: Motion.Effect, to edit: Edit) throws(EditError) -> Edit {
    var edit = edit
    edit.motion.effect = effect
    guard effect != .none else { return edit }
    if effect == .longExposure, files[.photo] == nil {
      throw EditError(
        .invalidEdit, file: files[.movie], "has no photo to turn into a long exposure",
        remedy: "name a Live Photo")
    }
    let motion = edit.motion
    try withMovie { movie in _ = try movie.framesOfEffect(of: motion) }
    return edit
  }

  /// Returns the edit with selected time and audio settings from another edit. Settings that do not apply to the files
  /// are left out: the volume if there is no audio, and an effect if there is only a photo.
  ///
  /// - Parameters:
  ///   - parts: The settings to copy.
  ///   - motion: The source of the settings.
  ///   - edit: The edit that receives the settings.
  /// - Throws: ``Basics/EditError`` if the settings need a movie but the asset has none, or if the movie does not
  ///   contain the trimmed range.
  package func taking(
    _ parts: Set<MotionPart>, of motion: Motion, in edit: Edit
  ) throws(EditError) -> Edit {
    var parts = parts
    if parts.contains(.sound), motion.volume != edit.motion.volume {
      let hasSound = try hasMovie ? withMovie { $0.hasSound } : false
      if !hasSound { parts.remove(.sound) }
    }
    let needsPhoto = motion.effect == .longExposure
    let canPlay = try hasMovie
    if !canPlay || (needsPhoto && files[.photo] == nil) { parts.remove(.effect) }
    let taken = try edit.motion.taking(parts, of: motion)
    guard taken != edit.motion else { return edit }
    if taken.keyPhoto != edit.motion.keyPhoto { try checkPhoto() }
    return try withMovie { movie in
      var edit = edit
      edit.motion = taken
      if try movie.plan(for: taken) == nil { try edit.motion.setTrim(nil) }
      _ = try movie.framesOfEffect(of: taken)
      return edit
    }
  }

  /// Checks that a readable movie is present.
  ///
  /// - Throws: ``Basics/EditError`` if the movie is missing or cannot be read.
  package func checkMovie() throws(EditError) {
    try withMovie { _ in }
  }

  /// Checks that the movie has audio.
  ///
  /// - Throws: ``Basics/EditError`` if there is no movie, or if the movie has no audio.
  package func checkSound() throws(EditError) {
    try withMovie { movie in
      guard movie.hasSound else {
        throw EditError(.invalidEdit, "has no audio", remedy: "leave this file out")
      }
    }
  }

  /// Whether a movie is present, either in its own file or inside the photo.
  package var hasMovie: Bool {
    get throws(EditError) {
      if files[.movie] != nil { return true }
      guard let path = files[.photo] else { return false }
      return try MotionPhotoFiles.isMotionPhoto(path)
    }
  }

  /// Calls a function with the movie. Errors name the movie's file.
  func withMovie<Value>(_ body: (Movie) throws -> Value) throws(EditError) -> Value {
    guard let path = files[.movie] ?? files[.photo] else {
      throw EditError(.notFound, "neither a photo nor a movie was found")
    }
    let none = EditError(.invalidEdit, file: path, "has no movie", remedy: "name a Live Photo or a movie")
    do throws(EditError) {
      return try readFile(path) { source in
        if files[.movie] != nil { return try body(Movie(source)) }
        let photo = try Photo(source)
        guard try photo.isMotionPhoto() else { throw none }
        let parts = try MotionPhoto.Parts(photo)
        return try body(Movie(parts.movieSource, photoAt: StillPlace(seconds: parts.stillTime)))
      }
    } catch {
      var error = error
      error.file = error.file ?? path
      throw error
    }
  }

  /// Returns the time of a frame in seconds.
  private static func keyPhoto(at moment: MovieMoment, of movie: Movie) throws -> Double {
    switch moment {
    case .seconds(let seconds):
      let motion = try Motion(keyPhoto: seconds)
      return max(0, try movie.keyFrame(of: motion)?.seconds ?? seconds)
    case .frame(let number):
      let frames = try movie.shownFrames
      guard 1...max(frames.count, 1) ~= number, number <= frames.count else {
        throw EditError(
          .invalidEdit, "has \(frames.count) frames, so frame \(number) does not exist",
          remedy: "use a number from 1 to \(frames.count)")
      }
      return max(0, frames[number - 1].seconds)
    }
  }

  private static func trim(to part: MoviePart, of movie: Movie) throws -> Trim {
    let length = try movie.shownSeconds
    switch part {
    case .seconds(let from, let to):
      // A start after the movie's end is reported later, when the trim is planned.
      let start = from ?? 0
      return try Trim(from: start, to: to ?? (start < length ? length : start + 1))
    case .frames(let numbers):
      let frames = try movie.shownFrames
      guard numbers.lowerBound >= 1, numbers.upperBound <= frames.count else {
        throw EditError(
          .invalidEdit,
          "has \(frames.count) frames, so the range \(numbers.lowerBound)..\(numbers.upperBound) does not exist",
          remedy: "use two numbers from 1 to \(frames.count)")
      }
      let end = numbers.upperBound == frames.count ? length : frames[numbers.upperBound].seconds
      return try Trim(from: max(0, frames[numbers.lowerBound - 1].seconds), to: end)
    }
  }
}
