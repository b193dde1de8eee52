internal import EditModel
internal import FileSystem
internal import Workflows

/// Watches whole folder trees on a single thread. The watch reports new folders, and changes in folders that do not
/// have their own watch. A separate watch for each folder would need a thread per folder.
struct TreeWatch {
  private let folders: ServedFolders
  private let watch: FolderWatch
  /// The range of numbers of the folders that have their own watch.
  private let others: Range<Int>
  private let tell: (ServedFolder) -> Void

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - folders: The served folders.
  ///   - others: The numbers of the folders that have their own watch.
  ///   - tell: A closure that receives new folders, and folders in which something changed.
  init(_ folders: ServedFolders, others: Range<Int>, tell: @escaping (ServedFolder) -> Void) throws {
    (self.folders, self.others, self.tell) = (folders, others, tell)
    watch = try FolderWatch()
    for path in folders.places { add(path) }
  }

  /// Watches until the given closure returns true.
  func run(until isOver: () -> Bool) {
    // Finds folders that were created between the start of the server and the start of the watch.
    lookAgain()
    while !isOver() {
      guard let events = try? watch.wait(milliseconds: 200) else { return }
      if !events.isEmpty { take(events) }
    }
  }

  private func take(_ events: FolderWatch.Events) {
    let served = Dictionary(folders.all.map { ($0.path, $0) }) { first, _ in first }
    var changed: Set<Int> = []
    var isNewPlace = events.isIncomplete
    for (folder, names) in events.names {
      let asset = FilePath.split(folder).name == HeldFolder.ownPrefix ? FilePath.split(folder).folder : folder
      for name in names where !name.hasPrefix(".") {
        let path = FilePath.joined(folder, name)
        if folder == asset, (try? FileStatus(path: path, followingLinks: false))?.kind == .folder {
          for place in FolderTree.folders(from: path, fail: { _, _ in }) { add(place) }
          isNewPlace = true
        } else if served[asset] == nil, IndexedAsset.isHalf(named: name) {
          isNewPlace = true
        }
      }
      if let one = served[asset], !others.contains(one.number) {
        changed.insert(one.number)
        if names.contains(HeldFolder.ownPrefix) { add(folder) }
      }
    }
    if events.isIncomplete { for path in folders.places { add(path) } }
    // Waits briefly, because copying a folder takes many steps.
    HostSystem.sleep(milliseconds: 50)
    if isNewPlace { lookAgain() }
    for number in changed { tell(folders[number]) }
  }

  private func lookAgain() {
    for folder in folders.lookAgain() {
      add(folder.path)
      tell(folder)
    }
  }

  /// Watches a folder and the folder that contains its catalogue.
  private func add(_ path: String) {
    _ = try? watch.add(path)
    _ = try? watch.add(FilePath.joined(path, HeldFolder.ownPrefix))
  }
}
