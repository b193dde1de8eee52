import Basics
public import EditModel

extension HelperRenderer: PictureChecker {
  /// Decodes a photo or the frames of a movie in the helper, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: what decoding showed. A damaged file is no error.
  /// - Throws: ``EditError`` when a file cannot be opened, or the helper cannot be run or dies.
  public func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck {
    let subject = job.photo ?? job.movie
    let message = try run(.check(job), about: subject, progress: { _ in }, isCancelled: isCancelled)
    guard case .checked(let result) = message else { throw Self.nonsense(subject) }
    return result
  }
}
