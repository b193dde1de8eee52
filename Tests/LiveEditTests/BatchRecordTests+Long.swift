import EditLibrary
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of the lists of batches, each in a separate process whose environment names the folder of the lists.
@Suite struct BatchRecordTests {
  /// Edits that exceed the limit of a list are left out, so that the list can be read again. A resumed batch finds them
  /// by the words of the command.
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
