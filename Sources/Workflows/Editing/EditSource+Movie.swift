import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A part of a movie, as people name it.
package enum MoviePart: Hashable, Sendable {
  /// From a time to another, in seconds of the unedited movie; nil for its start and its end.
  case seconds(from: Double?, to: Double?)
  /// Frames by their numbers, from 1; the last one is kept too.
  case frames(ClosedRange<Int>)
}

/// A frame of a movie, as people name it.
package enum MovieMoment: Hashable, Sendable {
  /// The frame that is shown at a time, in seconds of the unedited movie.
  case seconds(Double)
  /// A frame by its number, from 1.
  case frame(Int)
}

extension EditSource {
  /// An edit that keeps another part of the movie; no part is told where all frames are kept.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - part: the part that is kept.
  ///   - moment: the frame that the photo is made of; nil leaves it as it is.
  /// - Throws: ``Basics/EditError`` when there is no movie, or no such part or frame of it, or when the photo's moment is
  ///   cut off.
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

  /// An edit whose photo is made of a frame of the movie.
  ///
  /// - Parameters:
  ///   - moment: the frame; nil for the photo that was taken.
  ///   - edit: the edit.
  /// - Throws: ``Basics/EditError`` when there is no photo or no movie, or when it does not show that frame, or not after
  ///   the edit.
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

  /// Makes sure that there is a photo.
  ///
  /// - Throws: ``Basics/EditError`` when there is none.
  package func checkPhoto() throws(EditError) {
    guard files[.photo] == nil else { return }
    throw EditError(
      .invalidEdit, file: files[.movie], "has no photo to replace with a movie frame",
      remedy: "name a Live Photo")
  }

  /// An edit with another effect.
  ///
  /// - Parameters:
  ///   - effect: the effect.
  ///   - edit: the edit.
  /// - Throws: ``Basics/EditError`` when a half is missing that it needs, or when the movie is too short or too long.
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

  /// An edit with some parts of another's time and sound, as far as there is what they are about: sound that is not
  /// there is not made quieter, and a photo alone gets no effect.
  ///
  /// - Parameters:
  ///   - parts: the parts.
  ///   - motion: where they come from.
  ///   - edit: the edit.
  /// - Throws: ``Basics/EditError`` when there is no movie for them, or when it has not got the part that is kept.
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

  /// Makes sure that there is a movie.
  ///
  /// - Throws: ``Basics/EditError`` when there is none, or when it cannot be read.
  package func checkMovie() throws(EditError) {
    try withMovie { _ in }
  }

  /// Makes sure that there is sound.
  ///
  /// - Throws: ``Basics/EditError`` when there is no movie, or when it is silent.
  package func checkSound() throws(EditError) {
    try withMovie { movie in
      guard movie.hasSound else {
        throw EditError(.invalidEdit, "has no audio", remedy: "leave this file out")
      }
    }
  }

  /// True if there is a movie, in a file of its own or in the photo's.
  package var hasMovie: Bool {
    get throws(EditError) {
      if files[.movie] != nil { return true }
      guard let path = files[.photo] else { return false }
      return try MotionPhotoFiles.isMotionPhoto(path)
    }
  }

  /// Looks at the movie; errors name it.
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

  /// The time of a frame, in seconds.
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
      // A start behind the end is told by the plan.
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
