import Basics
import EditModel
import FileSystem
import LiveEdit

/// The commands that edit: finds the assets that the files mean, and edits one after another.
struct EditCommand: Command {
  /// The arguments.
  let request: EditRequest

  /// A file of the command line, and the asset that it means.
  private typealias Found = (file: String, asset: Result<OriginalFiles, EditError>)

  /// Edits, and prints what was done and what went wrong.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    let change = try request.change.function()
    TerminationSignals.block()
    let bar = ProgressBar()
    let editor = try AssetEditor(bar, request.layout)
    let found = locate()
    let isAlone = request.isEach || request.output != nil
    for block in isAlone ? found.map({ [$0] }) : blocks(found) where TerminationSignals.pending == nil {
      if let assets = assets(of: block, &tally) { edit(assets, change, editor, bar, &tally) }
    }
    return tally.status
  }

  /// The assets of files that are edited together; nil when one of them has none.
  private func assets(of block: [Found], _ tally: inout Tally) -> [(file: String, asset: OriginalFiles)]? {
    var assets: [(file: String, asset: OriginalFiles)] = []
    for (file, asset) in block {
      do throws(EditError) {
        assets.append((file, try asset.get()))
        assets[assets.count - 1].asset.folder = assets[0].asset.folder
      } catch {
        tally.fail(error, file: file)
      }
    }
    if assets.count == block.count { return assets }
    if !assets.isEmpty {
      let folder = FilePath.split(block[0].file).folder
      Report.notice(
        "nothing was edited in \(folder.isEmpty ? "this folder" : folder): files of one folder that are named "
          + "together change together; --each edits what it can")
    }
    return nil
  }

  /// The files that are edited together: those of one folder, however it is written.
  private func blocks(_ found: [Found]) -> [[Found]] {
    var blocks: [[Found]] = []
    var places: [FileStatus.Place?] = []
    for one in found {
      let folder = FilePath.split(one.file).folder
      let place = try? FileStatus(path: FilePath.shown(folder)).place
      if let index = places.firstIndex(where: { $0 == place }) {
        blocks[index].append(one)
      } else {
        blocks.append([one])
        places.append(place)
      }
    }
    if blocks.count > 1 {
      Report.notice("the files are in \(blocks.count) folders; each folder changes as a whole")
    }
    return blocks
  }

  private func edit(
    _ block: [(file: String, asset: OriginalFiles)], _ change: (Edit, EditSource) throws(EditError) -> Edit,
    _ editor: AssetEditor,
    _ bar: ProgressBar, _ tally: inout Tally
  ) {
    do throws(AssetEditor.BlockError) {
      var outcomes: [EditOutcome] = []
      if let output = request.output, let only = block.first {
        bar.begin(only.file)
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
          begin: { asset in bar.begin(asset.path(asset.photo ?? asset.movie ?? asset.stem)) }, change: change)
      }
      bar.end()
      for outcome in outcomes {
        if outcome.action != .unchanged { tally.didEdit = true }
        tally.print(Report.json(outcome), Report.lines(outcome))
      }
    } catch {
      bar.end()
      let asset = error.asset ?? block.first?.asset
      let file = block.first { $0.asset.identity == asset?.identity }?.file ?? block.first?.file ?? ""
      tally.fail(error.error, file: file)
      if block.count > 1, error.error.code != .unfinished {
        Report.notice(
          "none of the \(block.count) Live Photos of this folder was edited; --each edits what it can")
      }
    }
  }

  /// The assets that the files mean, each once, before any of them is edited: an edit can take away a render
  /// that was named too.
  private func locate() -> [Found] {
    var locator = AssetLocator(layout: request.layout, report: { Report.notice($0) })
    var seen: Set<OriginalFiles.Identity> = []
    var failures: Set<EditError> = []
    var assets: [Found] = []
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
