import FileSystem
import Glibc

/// Does what the command line asks for.
///
/// - Parameter words: the arguments without the program's name.
func run(_ words: [String]) -> EditCommand.Status {
  do throws(UsageError) {
    let arguments = try ArgumentParser.parse(words)
    if arguments.options["help"] != nil {
      StandardStream.output.write(HelpText.text(command: arguments.command))
      return .done
    }
    if arguments.options["version"] != nil {
      StandardStream.output.write("liveedit \(programVersion)\n")
      return .done
    }
    guard arguments.command != nil else {
      StandardStream.error.write(HelpText.text(command: nil))
      return .usage
    }
    switch arguments.command {
    case "inspect":
      return try InspectCommand(arguments).run()
    case "history":
      return try HistoryCommand(arguments).run()
    case "check":
      TerminationSignals.block()
      return CheckCommand(arguments).run()
    case "forget":
      let command = try ForgetCommand(arguments)
      TerminationSignals.block()
      return command.run()
    case "revert", "redo":
      let command = try SwitchCommand(arguments)
      TerminationSignals.block()
      return command.run()
    case "verify":
      let command = try VerifyCommand(arguments)
      TerminationSignals.block()
      return command.run()
    default:
      let request = try EditRequest(arguments)
      TerminationSignals.block()
      return EditCommand(request: request).run()
    }
  } catch {
    StandardStream.error.write("liveedit: \(error.message)\nliveedit --help shows how it is used.\n")
    return .usage
  }
}

let status = run(Array(CommandLine.arguments.dropFirst()))
// A signal that was held back ends the program here, as if it had not been held back.
TerminationSignals.deliver()
exit(status.rawValue)
