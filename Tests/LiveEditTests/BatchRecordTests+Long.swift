import EditLibrary
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// The lists of batches, each in a process of its own, whose environment names the folder that they are in.
@Suite struct BatchRecordTests {
  /// Edits that are more than a list holds are left out, so that it can be read again; who goes on finds them by the command's words.
  @Test func editsThatAreTooLargeAreFoundAgain() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      setenv("XDG_STATE_HOME", folder.url.path, 1)
      let place = try FileStatus(path: folder.url.path).place
      let items = [40 << 20, 40 << 20, 1 << 20].enumerated().map { index, size in
        let asset = OriginalFiles(folder: folder.url.path, place: place, photo: "\(index).JPG", movie: nil)
        let edit = AdjustmentData(
          formatIdentifier: "com.example", formatVersion: "\(index)", data: Data(count: size))
        return Batch.Item(asset: asset, file: "\(index).JPG", position: "0", target: .edit(edit))
      }
      var batch = Batch(identifier: nil, isEach: true, items: items)
      try BatchRecord(beginning: ["auto"], &batch).end()
      let record = try BatchRecord(try #require(batch.identifier))
      #expect(record.hasEnded && record.assets.map(\.position) == ["0", "0", "0"])
      #expect(record.assets.map { $0.target == nil } == [false, true, false])
      guard case .edit(let last)? = record.assets[2].target else {
        Issue.record("the last edit is not in the list")
        return
      }
      #expect(last.formatVersion == "2" && last.data.count == 1 << 20)
    }
  }
}
