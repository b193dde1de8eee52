import EditModel
import FileSystem
import FoundationEssentials
import Glibc
import RenderEngine

// Ctrl-C in a terminal reaches this process too, but whoever started it decides: it ends the input.
signal(SIGINT, SIG_IGN)
// A reader that is gone shows as an error of write.
signal(SIGPIPE, SIG_IGN)

let messages = MessageWriter()
do {
  // A look makes a job as large as four megabytes.
  let line = try StandardInput.readLine(atMost: 8 << 20)
  guard let job = try? JSONDecoder().decode(HelperJob.self, from: Data(line)) else {
    throw EditError(.renderer, "standard input holds no render job", remedy: "use liveedit to edit photos")
  }
  switch job {
  case .render(let job):
    let watch = InputWatch(outputs: [job.photo, job.movie].compactMap { $0?.output })
    let result = try render(
      job, progress: { messages.progress($0) }, isCancelled: { watch.isInputEnded })
    messages.send(.result(result))
  case .check(let job):
    let watch = InputWatch(outputs: [])
    messages.send(.checked(try checkPictures(job, isCancelled: { watch.isInputEnded })))
  case .propose(let job):
    let watch = InputWatch(outputs: [])
    messages.send(.proposed(try proposeAdjustments(job, isCancelled: { watch.isInputEnded })))
  case .convert(let job):
    let watch = InputWatch(outputs: [job.output].compactMap { $0 })
    messages.send(.converted(try convert(job, isCancelled: { watch.isInputEnded })))
  }
} catch {
  messages.send(.error(error as? EditError ?? EditError(.renderer, "liveedit-render failed (\(error))")))
  exit(1)
}
