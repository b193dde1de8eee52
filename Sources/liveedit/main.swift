import EditModel
import FileSystem
import Glibc

/// Does what the command line asks for.
///
/// - Parameter words: the arguments without the program's name.
func run(_ words: [String]) -> ExitStatus {
  do throws(UsageError) {
    let arguments = try ArgumentParser.parse(words)
    if arguments.options["help"] != nil {
      StandardStream.output.write(HelpText.text(command: arguments.command))
      return .done
    }
    if arguments.options["version"] == "" {
      StandardStream.output.write("liveedit \(LiveEditVersion.current)\n")
      return .done
    }
    guard let specification = CommandTable.commands.first(where: { $0.name == arguments.command }) else {
      StandardStream.error.write(HelpText.text(command: nil))
      return .usage
    }
    let command = try specification.command.init(arguments)
    do throws(EditError) {
      return try command.run()
    } catch {
      StandardStream.error.write("liveedit: \(error)\n")
      return .failed
    }
  } catch {
    StandardStream.error.write("liveedit: \(error.message)\nliveedit --help shows how it is used.\n")
    return .usage
  }
}

// A file that becomes larger than it may is an error of write, and so a sentence.
signal(SIGXFSZ, SIG_IGN)
let status = run(Array(CommandLine.arguments.dropFirst()))
// A signal that was held back ends the program here, as if it had not been held back.
TerminationSignals.deliver()
exit(status.rawValue)
