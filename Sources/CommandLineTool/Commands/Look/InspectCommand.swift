import Basics
import FileSystem
import Workflows

/// The command that describes the contents of files.
struct InspectCommand: Command {
  /// The selected files.
  let selection: FileSelection

  /// The declaration of the command `inspect`.
  static let declaration = CommandDeclaration(
    name: "inspect", summary: "Show what photos, movies and adjustment data contain.",
    about: """
      Shows a photo's picture, colour profile, metadata blocks and embedded images; a movie's tracks with
      codec, frames and colours; and the edit in adjustment data. Each file name means only that file, not
      its other half. Nothing is changed.
      """,
    kind: .looking, forms: [.init()], selects: true,
    synonyms: ["info", "show", "exif", "view", "identify", "probe", "metadata"],
    endings: .ofAnswers,
    related: ["verify", "list", "history"],
    examples: [
      .init("inspect IMG_0001.JPG IMG_0001.MOV", "Shows the contents of both halves of a Live Photo."),
      .init("inspect --json IMG_0001.MOV", "Prints the movie's contents as a JSON object."),
    ]
  ) { arguments throws(UsageError) in
    InspectCommand(selection: try FileSelection(arguments, wantsEveryFile: true))
  }

  /// Prints the contents of each file, either in columns or as one line of JSON per file.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    var listings = LastListing()
    for (index, file) in files.enumerated() where !StandardStream.hasFailed {
      do throws(EditError) {
        let inspection = try FileInspection(path: file, &listings)
        tally.print(
          Answer(.inspected, content: inspection),
          (index == 0 ? [] : [""]) + InspectionText(inspection).lines)
      } catch {
        tally.fail(error, file: file)
      }
    }
    return tally.readStatus
  }
}
