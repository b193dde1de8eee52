import Basics
import EditModel
import FileSystem
import Glibc
import RenderClient
import Workflows

/// Runs the command given on the command line.
///
/// - Parameter words: The arguments without the program's name.
func run(_ words: [String]) -> ExitStatus {
  do throws(UsageError) {
    let arguments = try ArgumentParser.parse(words)
    if arguments.has(.help) {
      StandardStream.output.write(lines: HelpText.lines(arguments.command))
      return .done
    }
    if arguments.has(.version) {
      StandardStream.output.write(line: VersionCommand.line)
      return .done
    }
    guard let declaration = arguments.command else {
      StandardStream.error.write(lines: HelpText.lines(nil))
      return .usage
    }
    let command = try declaration.make(arguments)
    var tally = Tally(declaration.name, isJSON: arguments.isJSON)
    var status = ExitStatus.failed
    do throws(EditError) {
      // Commands about the program itself work even if the settings are invalid.
      if declaration.kind != .program {
        try Configuration().setLimits()
        HelperRenderer.reportMissingSandbox { Report.notice($0) }
      }
      status = try command.run(&tally)
    } catch {
      tally.fail(error)
    }
    tally.finish(status)
    return status
  } catch {
    var tally = Tally(error.command, isJSON: asksForJSON(words))
    tally.fail(error)
    tally.finish(.usage)
    return .usage
  }
}

/// Returns whether the arguments request JSON, even if they are otherwise invalid.
func asksForJSON(_ words: [String]) -> Bool { words.prefix { $0 != "--" }.contains("--json") }

/// Returns the arguments without the program's name, and also the arguments that are not valid UTF-8. Invalid bytes are
/// replaced with visible characters.
func words() -> (all: [String], unusable: [String]) {
  var (all, unusable): ([String], [String]) = ([], [])
  for argument in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
  {
    guard let argument else { continue }
    if let word = String(validatingCString: argument) {
      all.append(word)
    } else {
      let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      all.append(TerminalText.repaired(bytes))
      unusable.append(TerminalText.repaired(bytes))
    }
  }
  return (all, unusable)
}

CrashSignals.leaveToSystem()
// If a file exceeds the size limit, the write call fails and the program prints an error instead of being terminated.
signal(SIGXFSZ, SIG_IGN)
StandardStream.reserve()
let (all, unusable) = words()
var status = ExitStatus.failed
if unusable.isEmpty {
  status = run(all)
} else {
  var tally = Tally(nil, isJSON: asksForJSON(all))
  for word in unusable {
    var error = UnusableName.error(word)
    error.remedy = "rename it; nothing was done"
    tally.fail(error, file: word)
  }
  tally.finish(status)
}
if let failure = StandardStream.finish() {
  // A reader that closed the pipe needs no more output, so this error is not reported.
  if failure.code != EPIPE {
    Report.notice(
      "standard output cannot be written to (\(failure)); files that were changed stay changed")
  }
  status = .failed
}
// A signal that was received while signals were blocked now ends the program.
TerminationSignals.deliver()
exit(status.rawValue)
