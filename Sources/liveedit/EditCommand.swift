import EditLibrary
import EditModel
import FileSystem
import LiveEdit

/// The commands that edit: finds the assets that the files mean, and edits one after another.
struct EditCommand: Command {
  /// What is asked for.
  let request: EditRequest

  init(_ arguments: ParsedArguments) throws(UsageError) {
    request = try EditRequest(arguments)
  }

  /// Edits, and prints what was done and what went wrong.
  func run() throws(EditError) -> ExitStatus {
    let change = try request.change.function()
    TerminationSignals.block()
    let bar = ProgressBar()
    let editor = try AssetEditor(bar)
    let found = locate()
    var result = Tally()
    if request.isEach || request.output != nil {
      for (file, asset) in found where TerminationSignals.pending == nil {
        do throws(EditError) {
          edit([(file, try asset.get())], change, editor, bar, &result)
        } catch {
          result.fail(error, file: file, isJSON: request.isJSON)
        }
      }
    } else {
      for (file, asset) in found {
        if case .failure(let error) = asset { result.fail(error, file: file, isJSON: request.isJSON) }
      }
      let assets = found.compactMap { file, asset in (try? asset.get()).map { (file, $0) } }
      if result.didFail, !assets.isEmpty {
        Report.notice(
          "nothing was edited: files named together change together; --each edits what it can")
      } else {
        for block in blocks(assets) where TerminationSignals.pending == nil {
          edit(block, change, editor, bar, &result)
        }
      }
    }
    return result.status
  }

  /// The assets that are edited together: those of one folder.
  private func blocks(_ assets: [(file: String, asset: AssetFiles)]) -> [[(file: String, asset: AssetFiles)]]
  {
    var blocks: [[(file: String, asset: AssetFiles)]] = []
    for one in assets {
      if let index = blocks.firstIndex(where: { $0.first?.asset.place == one.asset.place }) {
        var one = one
        one.asset.folder = blocks[index].first?.asset.folder ?? one.asset.folder
        blocks[index].append(one)
      } else {
        blocks.append([one])
      }
    }
    if blocks.count > 1 {
      Report.notice("the files are in \(blocks.count) folders; each folder changes as a whole")
    }
    return blocks
  }

  private func edit(
    _ block: [(file: String, asset: AssetFiles)], _ change: (Edit, EditSource) throws(EditError) -> Edit,
    _ editor: AssetEditor,
    _ bar: ProgressBar, _ result: inout Tally
  ) {
    do throws(AssetEditor.BlockError) {
      var outcomes: [EditOutcome] = []
      if let output = request.output, let only = block.first {
        bar.begin(Report.printable(only.file))
        do throws(EditError) {
          outcomes = [
            try editor.edit(only.asset, settings: request.settings, into: output, change: change)
          ]
        } catch {
          throw AssetEditor.BlockError(asset: only.asset, error)
        }
      } else {
        outcomes = try editor.edit(
          block.map(\.asset), settings: request.settings,
          begin: { asset in
            bar.begin(Report.printable(asset.path(asset.photo ?? asset.movie ?? asset.stem)))
          }, change: change)
      }
      bar.end()
      for outcome in outcomes {
        if outcome.action != .unchanged { result.didEdit = true }
        StandardStream.output.write(
          request.isJSON ? Report.json(outcome).text + "\n" : Report.text(outcome))
      }
    } catch {
      bar.end()
      let asset = error.asset ?? block.first?.asset
      let file = block.first { $0.asset.identity == asset?.identity }?.file ?? block.first?.file ?? ""
      result.fail(error.error, file: file, isJSON: request.isJSON)
      if block.count > 1, error.error.code != .unfinished {
        Report.notice(
          "none of the \(block.count) Live Photos of this folder was edited; --each edits what it can")
      }
    }
  }

  /// The assets that the files mean, each once, before any of them is edited: an edit can take away a render
  /// that was named too.
  private func locate() -> [(file: String, found: Result<AssetFiles, EditError>)] {
    var locator = AssetLocator(report: { Report.notice($0) })
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
