import Basics
public import EditModel

extension HelperRenderer: MediaConverter {
  /// Does a job for which a codec is needed in the helper.
  ///
  /// - Parameters:
  ///   - job: what to do.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError``; the output is gone then.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    let message = try run(.convert(job), about: job.source, progress: { _ in }, isCancelled: isCancelled)
    guard case .converted(let result) = message else { throw Self.nonsense(job.source) }
    return result
  }
}
