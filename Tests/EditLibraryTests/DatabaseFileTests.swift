import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EditLibrary
@testable import FileSystem

/// What lies beside a database.
@Suite struct DatabaseFileTests {
  /// SQLite removes a journal at the end of each transaction: one that is gone as it is opened is nobody's.
  @Test func aJournalMayGoAtAnyMoment() throws {
    let folder = try TemporaryFolder()
    let file = DatabaseFile(folder: try HeldFolder(path: folder.url.path), place: "index.sqlite")
    let path = folder.file("index.sqlite-journal").path
    let end = Date(timeIntervalSinceNow: 1)
    let counts = Mutex([0, 0])
    WorkerThread.share(2, among: 2) { next in
      while let number = next() {
        while Date() < end {
          if number == 0 {
            _ = FileManager.default.createFile(atPath: path, contents: Data(count: 512))
            unlink(path)
          } else {
            #expect((try? file.hasForeignJournal()) == false)
          }
          counts.withLock { $0[number] += 1 }
        }
      }
    }
    #expect(counts.withLock { $0.allSatisfy { $0 > 100 } })
  }
}
