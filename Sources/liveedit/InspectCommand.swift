import EditModel
import FileSystem
import FoundationEssentials
import LiveEdit

/// The command that says what files are.
struct InspectCommand {
  /// The files that were named, at least one.
  let files: [String]
  /// Whether to print JSON.
  let isJSON: Bool

  /// - Parameter arguments: of the command `inspect`.
  /// - Throws: ``UsageError`` when no file is named.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.files
    isJSON = arguments.options["json"] != nil
    if files.isEmpty { throw UsageError(message: "no file is named") }
  }

  /// Prints what each file is: columns, or one JSON object a line.
  func run() -> EditCommand.Status {
    var didFail = false
    for (index, file) in files.enumerated() {
      do throws(EditError) {
        let inspection = try FileInspection(path: file)
        if isJSON {
          StandardStream.output.write(jsonLine(inspection) + "\n")
        } else {
          let separator = index == 0 ? "" : "\n"
          StandardStream.output.write(separator + InspectionText(inspection).text)
        }
      } catch {
        didFail = true
        StandardStream.error.write(Report.sentence(error, file: file))
        if isJSON { StandardStream.output.write(Report.json(error, file: file).text + "\n") }
      }
    }
    return didFail ? .failed : .done
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
