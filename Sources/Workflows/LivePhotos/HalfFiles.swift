import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The files of an asset's halves that are being copied to another folder.
struct HalfFiles {
  /// The file that contains one half.
  struct Half {
    /// The path at which the file is stored.
    var path: String
    /// The name of the file that the user sees, or that the file will get.
    var name: String
    /// The user's file: this file, or the file from which this file was made.
    var source: String
  }

  var photo: Half?
  var movie: Half?

  /// Checks that the new files pass `liveedit verify` before they are published. Two halves are checked as a Live
  /// Photo, and a single half as a photo or movie that can be displayed.
  ///
  /// Both halves are decoded even if they are copies, because only decoding finds damage in copied data. Users may
  /// share the new files or delete the originals and must be able to rely on the copies.
  ///
  /// - Parameters:
  ///   - identifier: The identifier that both halves must have, or nil to accept any identifier.
  ///   - checker: The checker that decodes the files.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Throws: ``EditError`` for the faulty half, with the first rule that it violates.
  func verify(
    carrying identifier: String? = nil, by checker: any PictureChecker,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) {
    let files = LivePhotoVerifier.Files(
      photo: photo?.path, movie: movie?.path,
      photoExtension: photo.map { RenderNames.Parts($0.name).fileExtension })
    let verification: LivePhotoVerification
    do throws(EditError) {
      if let photo, let movie, let identifier {
        try HalfIdentifier.check([.photo: photo.path, .movie: movie.path], carry: identifier)
      }
      verification = try LivePhotoVerifier(renderer: checker, isCancelled: isCancelled).verify(files)
    } catch {
      throw named(error)
    }
    let isPair = photo != nil && movie != nil
    guard
      let broken = verification.findings.first(where: {
        $0.severity == .error && (isPair || $0.rule.concernsShowing)
      })
    else { return }
    let half = (broken.subject == .movie ? movie : nil) ?? photo ?? movie
    let isUntied = [.photoIdentifier, .movieIdentifier, .identifiersEqual, .metadataPlain].contains(
      broken.rule)
    throw EditError(
      .invalidFile, file: half?.source,
      isPair
        ? "would not be a valid Live Photo: \(clause: broken.message)"
        : "cannot be shown: \(clause: broken.message)",
      remedy: isUntied
        ? "pair the photo and the movie with liveedit pair first" : "copy it again from its source")
  }

  /// Converts an error about a new file to an error about the file from which the new file was made.
  private func named(_ error: EditError) -> EditError {
    guard let half = [photo, movie].compactMap({ $0 }).first(where: { $0.path == error.file }) else {
      return error
    }
    var error = error
    error.file = half.source
    return error
  }
}
