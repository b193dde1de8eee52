import Basics
import EditModel

extension HelperRenderer {
  /// Looks at a photo, or at the frames of a movie, in the helper, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: values for an edit of these files.
  /// - Throws: ``EditError`` when a file cannot be read or decoded, or the helper cannot be run or dies.
  package func propose(
    _ job: AutoJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> AutoProposal {
    let subject = job.photo ?? job.movie
    let message = try run(.propose(job), about: subject, progress: { _ in }, isCancelled: isCancelled)
    guard case .proposed(let proposal) = message else { throw Self.nonsense(subject) }
    return proposal
  }
}
