import EditModel
import RenderEngine

/// Runs a job and reports its progress and result.
///
/// - Parameters:
///   - job: The job.
///   - messages: The writer that sends messages about the job.
///   - state: The restrictions in force in this process.
/// - Throws: An error if the job fails.
func answer(_ job: HelperJob, _ messages: MessageWriter, confined state: ConfinementState) throws {
  messages.send(.confined(state))
  if case .preview(let job) = job {
    try PreviewService(job, messages).run()
    return
  }
  let watch = InputWatch(outputs: job.outputs)
  // The work checks for cancellation between steps, so each check shows that a step is complete.
  let isCancelled = { @Sendable in
    messages.advance()
    return watch.isInputEnded
  }
  switch job {
  case .render(let job):
    let result = try render(job, progress: { messages.progress($0) }, isCancelled: isCancelled)
    messages.send(.result(result))
  case .rehearse(let job): messages.send(.result(try rehearse(job, isCancelled: isCancelled)))
  case .check(let job): messages.send(.checked(try checkPictures(job, isCancelled: isCancelled)))
  case .propose(let job): messages.send(.proposed(try proposeAdjustments(job, isCancelled: isCancelled)))
  case .match(let job): messages.send(.matched(try matchEdit(job, isCancelled: isCancelled)))
  case .describe: messages.send(.libraries(linkedLibraries()))
  case .convert(let job): messages.send(.converted(try convert(job, isCancelled: isCancelled)))
  case .preview: break
  }
}
