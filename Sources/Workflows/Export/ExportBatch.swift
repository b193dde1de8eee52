import Basics
import EditLibrary
import EditModel
import FileSystem
import Synchronization

/// Exports several assets in parallel. The names of the new files are chosen in the order of the assets.
package struct ExportBatch: Sendable {
  /// The result for one file.
  package enum Result: Sendable {
    /// The asset was exported.
    case exported(ExportOutcome, OriginalFiles)
    /// The export failed.
    case failed(EditError)
    /// The file's asset was already exported because of an earlier file.
    case repeated
    /// The batch was stopped before the file was exported.
    case stopped
  }

  private let exporter: Exporter
  private let options: ExportOptions
  private let isTrial: Bool

  /// - Parameters:
  ///   - exporter: The exporter for each asset.
  ///   - options: The options for the new files.
  ///   - isTrial: Whether to make the files only in a temporary folder.
  package init(_ exporter: Exporter, _ options: ExportOptions, isTrial: Bool = false) {
    (self.exporter, self.options, self.isTrial) = (exporter, options, isTrial)
  }

  /// The state that parallel exports share.
  private struct Beginning {
    /// The number of exports that have begun.
    var count = 0
    var folder: String?
    var locator: AssetLocator?
    var seen: Set<OriginalFiles.Identity> = []
    /// The names that are taken by new files.
    var taken = TakenNames()
  }

  private enum Begun: Sendable {
    case over(Result)
    case asset(OriginalFiles, Exporter.Begun)
  }

  /// Exports the assets of the given files and returns when all exports have ended.
  ///
  /// - Parameters:
  ///   - files: The paths of the assets' files, grouped by folder.
  ///   - jobs: The number of assets that are exported in parallel.
  ///   - target: Called before an asset is exported, in the order of the files. Returns the folder for its new files.
  ///   - begin: Called from any thread when work on a file begins.
  ///   - end: Called from any thread when work on a file ends. The argument states whether the export failed.
  ///   - state: The initial value that the results update.
  ///   - take: Adds the results to the state, in the order of the files.
  /// - Returns: The final state.
  package func run<State: Sendable>(
    _ files: [String], jobs: Int, into state: State,
    target: @escaping @Sendable (Int) throws(EditError) -> String,
    begin: @escaping @Sendable (Int) -> Void = { _ in },
    end: @escaping @Sendable (Int, Bool) -> Void = { _, _ in },
    take: @escaping @Sendable (inout State, Int, Result) -> Void
  ) -> State {
    let beginning = Mutex(Beginning())
    let results = InOrder(state, take)
    WorkerThread.share(files.count, among: jobs) { _ in
      while true {
        let next = beginning.withLock { beginning -> (index: Int, begun: Begun)? in
          guard beginning.count < files.count else { return nil }
          let index = beginning.count
          beginning.count += 1
          begin(index)
          return (index, self.begin(files[index], index, target, &beginning))
        }
        guard let (index, begun) = next else { return }
        let result =
          switch begun {
          case .over(let result): result
          case .asset(let asset, let begun): make(asset, begun)
          }
        if case .failed = result { end(index, true) } else { end(index, false) }
        results.add(index, result)
      }
    }
    return results.state
  }

  private func begin(
    _ file: String, _ index: Int, _ target: (Int) throws(EditError) -> String, _ beginning: inout Beginning
  ) -> Begun {
    if exporter.isCancelled() { return .over(.stopped) }
    // Only the names in one folder need to be kept, because the files are grouped by folder.
    let folder = FilePath.split(file).folder
    var locator: AssetLocator
    if let known = beginning.locator, beginning.folder?.hasBytes(of: folder) == true {
      locator = known
    } else {
      locator = AssetLocator(layout: exporter.layout)
    }
    defer { (beginning.locator, beginning.folder) = (locator, folder) }
    do throws(EditError) {
      let target = try target(index)
      let asset = try locator.locate(file)
      guard beginning.seen.insert(asset.identity).inserted else { return .over(.repeated) }
      return .asset(
        asset, try exporter.begin(asset, options, into: target, isTrial: isTrial, taken: &beginning.taken))
    } catch {
      return .over(.failed(error))
    }
  }

  private func make(_ asset: OriginalFiles, _ begun: Exporter.Begun) -> Result {
    do throws(EditError) {
      return .exported(try exporter.make(begun), asset)
    } catch {
      return error.code == .cancelled && exporter.isCancelled() ? .stopped : .failed(error)
    }
  }
}
