import Basics
import FileSystem
import FoundationEssentials
import LiveEdit

/// The command that says what files are.
struct InspectCommand: Command {
  /// The files that were named, at least one.
  let files: [String]

  /// The command `inspect`.
  static let declaration = CommandDeclaration(
    name: "inspect", summary: "Say what photos, movies and adjustment data are.",
    usage: "inspect [--json] FILE…", kind: .looking,
    examples: ["inspect IMG_0001.JPG IMG_0001.MOV"]
  ) { arguments throws(UsageError) in InspectCommand(files: try arguments.namedFiles) }

  /// Prints what each file is: columns, or one JSON object a line.
  func run(_ tally: inout Tally) -> ExitStatus {
    for (index, file) in files.enumerated() where !StandardStream.hasFailed {
      do throws(EditError) {
        let inspection = try FileInspection(path: file)
        if tally.isJSON {
          StandardStream.output.write(json: jsonLine(inspection))
        } else {
          StandardStream.output.write(lines: (index == 0 ? [] : [""]) + InspectionText(inspection).lines)
        }
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.readStatus
  }
}

/// A value as one line of JSON, keys sorted.
func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
  guard let data = try? encoder.encode(value) else { return "{}" }
  return String(decoding: data, as: UTF8.self)
}
