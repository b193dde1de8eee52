import Basics
import Confinement
import EditModel
import FileSystem
import FoundationEssentials
import Glibc
import RenderEngine

CrashSignals.leaveToSystem()
// Ctrl-C in a terminal reaches this process too, but whoever started it decides: it ends the input.
signal(SIGINT, SIG_IGN)
// A reader that is gone, and a file that becomes larger than it may, show as an error of write.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)

// The limits of what is read, where they are not the usual ones.
if let limits = CommandLine.arguments.dropFirst().first.flatMap(ReadingLimit.values) {
  ReadingLimit.set(limits)
}

// From here on each job has a process of its own.
if CommandLine.arguments.last == ForkServer.argument { ForkServer.serve() }

// What needs no job is done while none is there.
let begun = Confinement.begin()
let messages = MessageWriter()
do {
  // A look makes a job as large as four megabytes.
  let line = try StandardInput.readLine(atMost: 8 << 20)
  guard let job = try? JSONDecoder().decode(HelperJob.self, from: Data(line)) else {
    throw EditError(.renderer, "standard input holds no render job", remedy: "use liveedit to edit photos")
  }
  let state = job.confine(since: begun)
  if case .preview(let job) = job {
    try PreviewService(job, messages).run()
    _exit(0)
  }
  messages.send(.confined(state))
  let watch = InputWatch(outputs: job.outputs)
  // Whoever works asks between two steps, so a question says that a step is done.
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
} catch {
  messages.send(.error(error as? EditError ?? EditError(.renderer, "liveedit-render failed (\(error))")))
  _exit(1)
}
// What 150 libraries would do at their end takes longer than a small job.
_exit(0)
