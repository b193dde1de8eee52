import Basics
import EditLibrary
import EditModel
import FileSystem
import RenderClient

/// Renders the jobs of a plan.
package struct PlanWorker: Sendable {
  private let plan: WorkPlan
  private let root: HeldFolder
  private let results: PlanResults
  private let helper: HelperRenderer
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - plan: The plan.
  ///   - root: The path of the folder that contains the plan's inputs on this computer.
  ///   - results: The folder for the results.
  ///   - helper: The helper that renders the jobs.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Throws: ``EditError`` if the folder does not exist, or if the plan was made for other versions of the programs
  ///   or libraries.
  package init(
    _ plan: WorkPlan, root: String, results: PlanResults, by helper: HelperRenderer,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) {
    (self.plan, self.results, self.helper, self.isCancelled) = (plan, results, helper, isCancelled)
    do {
      self.root = try HeldFolder(path: root)
    } catch {
      guard error == .notFound else { throw EditError(reading: root, error) }
      throw EditError(
        .notFound, file: root, "does not exist, but should contain the plan's originals",
        remedy: "name the folder that contains the originals with --root")
    }
    let engine = try helper.engine()
    guard engine == plan.head.engine else {
      throw EditError(
        .unsupported, "the plan requires \(plan.head.engine), but this computer has \(engine)",
        remedy: "install the required versions, or make a new plan with the installed versions")
    }
  }

  /// Renders a job unless its result exists.
  ///
  /// - Parameter progress: Called repeatedly, from any thread.
  /// - Returns: False if the result already existed.
  /// - Throws: ``EditError`` if an input differs from the planned input or cannot be rendered. No result is stored in
  ///   that case.
  package func render(
    _ job: WorkPlan.Job, progress: @escaping @Sendable (RenderProgress) -> Void
  ) throws(EditError) -> Bool {
    try results.make(job) { folder throws(EditError) in try render(job, into: folder, progress) }
  }

  /// Renders a job again and compares the result with the stored result.
  ///
  /// - Throws: ``EditError`` if the results differ.
  func recheck(_ job: WorkPlan.Job) throws(EditError) {
    guard let made = results.made(job) else { return }
    let again = try results.renderedAgain(job) { folder throws(EditError) in
      try render(job, into: folder) { _ in }
    }
    guard again.files == made.files else {
      results.remove(job)
      throw EditError(
        .invalidFile, file: job.place,
        "has a result from another computer that differs from the result of this computer",
        remedy: "run liveedit work again, and check the computers that rendered the file")
    }
  }

  private func render(
    _ job: WorkPlan.Job, into folder: String, _ progress: @escaping @Sendable (RenderProgress) -> Void
  ) throws(EditError) -> RenderResult {
    let before = try status(of: job, hashing: true)
    var paths: [FileRole: String] = [:]
    for role in job.outputs { paths[role] = FilePath.joined(folder, role.rawValue) }
    let render = try plan.render(job, in: root.path) { FilePath.joined(folder, $0) }
    let result = try helper.render(render, progress: progress, isCancelled: isCancelled)
    try HalfIdentifier.check(paths, carry: render.identifier)
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }
    let isSettled = before.allSatisfy(\.isSettled)
    guard try status(of: job, hashing: !isSettled) == before else { throw WorkPlan.changed(input: job.place) }
    return result
  }

  /// Checks that the inputs of a job match the plan. The inputs are opened relative to the root, and symbolic links are
  /// not followed.
  ///
  /// - Parameter hashing: Whether to also compare the content of the inputs.
  private func status(of job: WorkPlan.Job, hashing: Bool) throws(EditError) -> [FileStatus] {
    var found: [FileStatus] = []
    for input in job.inputs {
      let source = try whileReading(root.path(input.path)) { try root.source(input.path) }
      var isEqual = source.count == input.size
      if isEqual, hashing {
        isEqual = try whileReading(root.path(input.path)) { try Digest.sha256(of: source) == input.sha256 }
      }
      guard isEqual else { throw WorkPlan.changed(input: root.path(input.path)) }
      found.append(source.status)
    }
    return found
  }
}
