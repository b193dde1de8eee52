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
  ///   - plan: the plan.
  ///   - root: the path of the folder below which its inputs lie here.
  ///   - results: the folder that takes the results.
  ///   - helper: renders.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError`` when there is no such folder, or the plan was made for other programs or libraries than these.
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
        remedy: "install the required versions, or make a new plan with these")
    }
  }

  /// Renders a job, unless its result is there.
  ///
  /// - Parameter progress: called now and then, from any thread.
  /// - Returns: false when the result was there.
  /// - Throws: ``EditError`` when an input is not what was planned, or cannot be rendered. There is no result then.
  package func render(
    _ job: WorkPlan.Job, progress: @escaping @Sendable (RenderProgress) -> Void
  ) throws(EditError) -> Bool {
    try results.make(job) { folder throws(EditError) in try render(job, into: folder, progress) }
  }

  /// Renders a job again and compares the result with the one that is there.
  ///
  /// - Throws: ``EditError`` when it is not the same.
  func recheck(_ job: WorkPlan.Job) throws(EditError) {
    guard let made = results.made(job) else { return }
    let again = try results.renderedAgain(job) { folder throws(EditError) in
      try render(job, into: folder) { _ in }
    }
    guard again.files == made.files else {
      results.remove(job)
      throw EditError(
        .invalidFile, file: job.place, "was rendered elsewhere with a different result than on this computer",
        remedy: "run liveedit work again, and check the computers that rendered it")
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

  /// Makes sure that the inputs of a job are what was planned. They are opened below the root, and links are not followed.
  ///
  /// - Parameter hashing: whether their content is compared too.
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
