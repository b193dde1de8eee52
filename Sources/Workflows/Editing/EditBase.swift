import Basics
import EditLibrary
import EditModel
import LivePhotoFormat

/// The starting point for an asset's next edit: the asset's files and the edit that was last applied to them.
package struct EditBase: Sendable {
  /// The files to edit.
  package let source: EditSource
  /// The last edit if liveedit made it, which the next edit replaces; otherwise an empty edit.
  package let edit: Edit

  /// Determines where the next edit of an asset starts.
  ///
  /// - Throws: ``Basics/EditError`` if either half is missing.
  package init(of asset: IndexedAsset) throws(EditError) {
    let next = try Library.reading(asset.folder, layout: asset.layout) { library throws(EditError) in
      try NextEdit(of: library.state(named: asset.name, isLeaving: false), in: library)
    }
    source = EditSource(files: next.sources)
    edit = next.last?.decoded()?.edit ?? .identity
  }
}

/// The properties of a movie that matter for editing its time and audio.
package struct EditableMovie: Hashable, Sendable {
  /// The times at which frames are displayed, in seconds, in ascending order.
  package let frames: [Double]
  /// The duration in seconds.
  package let seconds: Double
  /// The photo's time in the movie in seconds, or nil if the movie does not contain this time.
  package let keyPhoto: Double?
  /// Whether the movie has audible audio.
  package let hasSound: Bool
}

extension EditSource {
  /// Returns the movie's properties, or nil if the asset has no movie or the movie's time cannot be edited.
  ///
  /// - Throws: ``Basics/EditError`` if the movie cannot be read.
  package func editableMovie() throws(EditError) -> EditableMovie? {
    guard try hasMovie else { return nil }
    return try withMovie { (movie: Movie) throws -> EditableMovie? in
      let frames: [Double]
      do {
        frames = try movie.shownFrames.map(\.seconds)
      } catch let error as MediaError where error.isUnsupported {
        return nil
      }
      return EditableMovie(
        frames: frames, seconds: movie.seconds, keyPhoto: movie.stillImageTime, hasSound: movie.hasSound)
    }
  }

  /// Returns the edit with its time and audio settings adapted to these files. The key photo's time becomes the start
  /// time of the frame displayed at that moment, and a trim that removes nothing is dropped.
  ///
  /// - Throws: ``Basics/EditError`` if the files do not allow the settings.
  package func checked(_ edit: Edit) throws(EditError) -> Edit {
    guard !edit.motion.isNeutral else { return edit }
    var still = edit
    still.motion = .neutral
    still = try takingKeyPhoto(at: edit.motion.keyPhotoSeconds.map { .seconds($0) }, in: still)
    var motion = edit.motion
    try motion.setKeyPhoto(still.motion.keyPhotoSeconds)
    return try taking(Set(MotionPart.allCases), of: motion, in: still)
  }
}
