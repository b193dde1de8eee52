import Basics
import EditLibrary
import EditModel
import LivePhotoFormat

/// The start of the next edit of an asset: its files, and the edit that they have already.
package struct EditBase: Sendable {
  /// The files.
  package let source: EditSource
  /// The last edit where liveedit made it, which the next one takes the place of; otherwise none.
  package let edit: Edit

  /// Finds out where the next edit of an asset starts.
  ///
  /// - Throws: ``Basics/EditError`` when a half is missing.
  package init(of asset: IndexedAsset) throws(EditError) {
    let next = try Library.reading(asset.folder, layout: asset.layout) { library throws(EditError) in
      try NextEdit(of: library.state(named: asset.name, isLeaving: false), in: library)
    }
    source = EditSource(files: next.sources)
    edit = next.last?.decoded()?.edit ?? .identity
  }
}

/// The facts of a movie that somebody needs who edits its time and sound.
package struct EditableMovie: Hashable, Sendable {
  /// The times at which frames are shown, in seconds, the earliest first.
  package let frames: [Double]
  /// The length in seconds.
  package let seconds: Double
  /// The time of the photo's place in the movie, in seconds; nil where it has none.
  package let keyPhoto: Double?
  /// True if something can be heard.
  package let hasSound: Bool
}

extension EditSource {
  /// The facts of the movie; nil where there is none, or one whose time cannot be edited.
  ///
  /// - Throws: ``Basics/EditError`` when it cannot be read.
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

  /// An edit whose time and sound are possible for these files: its key photo is the frame that is shown at its time, and
  /// a trim that cuts nothing off is none.
  ///
  /// - Throws: ``Basics/EditError`` when they are not.
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
