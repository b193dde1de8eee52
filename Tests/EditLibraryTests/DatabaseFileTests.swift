import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EditLibrary
@testable import FileSystem

/// Tests of the files beside a database.
@Suite struct DatabaseFileTests {
  /// SQLite removes a journal at the end of each transaction. A journal that disappears while it is opened does not
  /// count as foreign.
  @Test func aJournalMayGoAtAnyMoment() throws {
    let folder = try TemporaryFolder()
    let file = DatabaseFile(folder: try HeldFolder(path: folder.url.path), place: "index.sqlite")
    let path = folder.file("index.sqlite-journal").path
    let isOver = Atomic<Bool>(false)
    WorkerThread.runSideBySide(2) { number in
      if number == 0 {
        while !isOver.load(ordering: .relaxed) {
          _ = FileManager.default.createFile(atPath: path, contents: Data(count: 512))
          unlink(path)
        }
      } else {
        let wrong = (0..<10_000).count { _ in (try? file.hasForeignJournal()) != false }
        #expect(wrong == 0)
        isOver.store(true, ordering: .relaxed)
      }
    }
  }
}
