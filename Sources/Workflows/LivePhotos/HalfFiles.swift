import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The files of the halves of one asset on their way to another folder.
struct HalfFiles {
  /// The file of a half.
  struct Half {
    /// The path at which it lies.
    var path: String
    /// The name that people know it by, or that it gets.
    var name: String
    /// The file that people know: this one, or the one of which it was made.
    var source: String
  }

  var photo: Half?
  var movie: Half?

  /// Makes sure that the halves pass `liveedit verify` before they get their names: both as a Live Photo, one alone as a
  /// photo or movie that can be shown.
  ///
  /// Both are decoded, though one may be a copy: only decoding finds damage in data that was copied as it is, and whoever
  /// hands on a photo or lets go of the original afterwards must not rely on a broken one.
  ///
  /// - Parameters:
  ///   - identifier: the identifier that both must carry; nil for whatever they carry.
  ///   - checker: decodes.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError`` about the half that is at fault, with the first rule that it breaks.
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

  /// An error about a new file, as one about the file that it was made of.
  private func named(_ error: EditError) -> EditError {
    guard let half = [photo, movie].compactMap({ $0 }).first(where: { $0.path == error.file }) else {
      return error
    }
    var error = error
    error.file = half.source
    return error
  }
}
