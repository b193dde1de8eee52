import Basics
import Dispatch
import FileSystem
import FoundationEssentials
import Glibc
import RenderClient
import Studio
import Workflows

/// Prints a line to standard error.
@Sendable func say(_ text: String) { StandardStream.error.write(line: "liveedit: " + text) }

CrashSignals.leaveToSystem()
// A closed connection or pipe must not end the program.
signal(SIGPIPE, SIG_IGN)
StandardStream.reserve()
guard CommandLine.arguments.count == 2,
  let options = try? JSONText.decode(ServerOptions.self, from: CommandLine.arguments[1].utf8)
else {
  say("liveedit-studio is started by liveedit studio and liveedit serve; run one of them")
  exit(64)
}
ReadingLimit.set(ReadingLimit.values(options.limits) ?? [:])
HelperRenderer.requiresSandbox = options.requiresSandbox
HelperRenderer.reportMissingSandbox { say($0.description) }
TerminationSignals.block()
// The main thread waits here instead of in an asynchronous main function, which would unblock the signals.
let end = DispatchSemaphore(value: 0)
let failure = Flag()
Task.detached {
  do {
    try await StudioServer(options, report: { say($0.description) }).run { address in
      StandardStream.output.write(line: address)
    }
  } catch {
    say("\(error)")
    failure.set()
  }
  end.signal()
}
end.wait()
exit(failure.isSet ? 1 : 0)
