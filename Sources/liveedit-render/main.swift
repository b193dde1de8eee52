import Basics
import Confinement
import EditModel
import FileSystem
import FoundationEssentials
import Glibc

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
do {
  let messages = MessageWriter()
  // A look makes a job as large as four megabytes.
  let line = try StandardInput.readLine(atMost: 8 << 20)
  guard let job = try? JSONDecoder().decode(HelperJob.self, from: Data(line)) else {
    throw EditError(.renderer, "standard input holds no render job", remedy: "use liveedit to edit photos")
  }
  let state = job.confine(since: begun)
  // This thread may not share a lock with another: see ForkServer.serve().
  try WorkerThread {
    do { try answer(job, messages, confined: state) } catch { messages.end(with: error) }
  }.join()
} catch {
  MessageWriter().end(with: error)
}
// What 150 libraries would do at their end takes longer than a small job.
_exit(0)
