import EditLibrary
import EditModel
import FileSystem
import LiveEdit

/// The commands that edit: finds the assets that the files mean, and edits one after another.
struct EditCommand {
  /// What is asked for.
  let request: EditRequest

  /// The exit status of the program (README: exit status).
  enum Status: Int32 {
    /// At least one asset was edited, and none failed.
    case done = 0
    /// Something failed.
    case failed = 1
    /// There was nothing to do.
    case nothingToDo = 2
    /// The command line cannot be understood (EX_USAGE of sysexits.h).
    case usage = 64
  }

  /// Edits, and prints what was done and what went wrong.
  func run() -> Status {
    let renderer: HelperRenderer
    do {
      renderer = try HelperRenderer()
    } catch {
      StandardStream.error.write("liveedit: \(error)\n")
      return .failed
    }
    let bar = ProgressBar()
    let editor = AssetEditor(
      renderer: renderer, progress: { bar.show($0) },
      isCancelled: { TerminationSignals.pending != nil })
    var didEdit = false
    var didFail = false
    for (file, found) in locate() where TerminationSignals.pending == nil {
      bar.begin(Report.printable(file))
      do throws(EditError) {
        let outcome = try editor.edit(try found.get(), settings: request.settings, into: request.output) {
          $0.turned(request.change)
        }
        bar.end()
        if outcome.action != .unchanged { didEdit = true }
        StandardStream.output.write(request.isJSON ? Report.json(outcome).text + "\n" : Report.text(outcome))
      } catch {
        bar.end()
        didFail = true
        StandardStream.error.write(Report.sentence(error, file: file))
        if request.isJSON { StandardStream.output.write(Report.json(error, file: file).text + "\n") }
      }
    }
    return didFail ? .failed : didEdit ? .done : .nothingToDo
  }

  /// The assets that the files mean, each once, before any of them is edited: an edit can take away a render
  /// that was named too.
  private func locate() -> [(file: String, found: Result<AssetFiles, EditError>)] {
    var locator = AssetLocator()
    var seen: Set<AssetFiles.Identity> = []
    var failures: Set<EditError> = []
    var assets: [(String, Result<AssetFiles, EditError>)] = []
    for file in request.files {
      do throws(EditError) {
        let asset = try locator.locate(file)
        if seen.insert(asset.identity).inserted { assets.append((file, .success(asset))) }
      } catch {
        // Two halves that do not belong together give one error, whichever of them is named.
        if failures.insert(error).inserted { assets.append((file, .failure(error))) }
      }
    }
    return assets
  }
}
